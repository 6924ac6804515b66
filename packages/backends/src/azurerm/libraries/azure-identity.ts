// Microsoft's client of its identity platform, in a separate bundle, with the PKCS#12 parser.
export {
  ClientAssertionCredential,
  ClientCertificateCredential,
  ClientSecretCredential,
  type TokenCredential,
  type TokenCredentialOptions,
} from '@azure/identity';
export { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline';
export { default as forge } from 'node-forge';
