// The library for e-mails, in a bundle of its own.
export { createTransport } from 'nodemailer';
