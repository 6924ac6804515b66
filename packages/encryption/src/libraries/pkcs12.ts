// The PKCS#12 parser, in a separate bundle.
export { default as forge } from 'node-forge';
