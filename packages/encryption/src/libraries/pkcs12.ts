// Reads certificates in PKCS#12, in a bundle of its own.
export { default as forge } from 'node-forge';
