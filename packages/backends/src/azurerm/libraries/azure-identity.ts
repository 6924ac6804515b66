// Microsoft's client of its identity platform, in a bundle of its own, with what reads certificates in PKCS#12.
export {
  ClientAssertionCredential,
  ClientCertificateCredential,
  ClientSecretCredential,
  type TokenCredential,
  type TokenCredentialOptions,
} from '@azure/identity';
export { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline';
export { default as forge } from 'node-forge';
