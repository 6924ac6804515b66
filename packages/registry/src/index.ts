// What hosts offer
export { errorText, isCertificateError, requestErrorText } from './discovery/network-error.ts';
export {
  clientTimeoutMs,
  discard,
  discoveryRetries,
  REQUEST_HEADERS,
  type RegistryHost,
  registryRequest,
  type RegistryRequestOptions,
  RequestFailed,
} from './discovery/registry-request.ts';
export {
  type Credentials,
  ServiceDirectory,
  type ServiceDirectoryOptions,
} from './discovery/service-directory.ts';
export {
  type OAuthClient,
  ServiceHost,
  ServiceNotProvided,
  ServiceVersionNotSupported,
} from './discovery/service-host.ts';
export { statusText } from './discovery/status-text.ts';
