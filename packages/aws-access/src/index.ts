// Settings of a connection
export {
  type AssumedRole,
  type AwsConnection,
  isAllowedAccount,
  type Role,
  type WebIdentityRole,
} from './connection.ts';
export {
  type AwsArguments,
  type ConnectionVariables,
  firstVariable,
  optionalMember as named,
  expandPath,
  readConnection,
} from './read-connection.ts';
export { isRegion, REGION_PLACES } from './regions.ts';
export type { AwsHost } from './aws-host.ts';

// Credentials
export { credentialSource } from './credential-source.ts';
export type { CredentialLibraries, CredentialPorts, CredentialSource } from './credential-ports.ts';
export { instanceRegion } from './instance-credentials.ts';
export { namedProfile, type Section, type SharedFiles, sharedFiles } from './shared-files.ts';
export { stsOptions, type StsOptions } from './assume-role.ts';

// Requests and their errors
export { requestOptions, type RequestMatters, type RequestOptions } from './request-options.ts';
export type { SdkRequestHandler } from './request-handler.ts';
export { failureText, sdkFailure, type SdkFailure } from './sdk-failure.ts';
