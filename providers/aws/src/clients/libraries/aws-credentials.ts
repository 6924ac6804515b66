// How Amazon's SDK finds credentials, in a bundle of its own.
export {
  fromHttp,
  fromIni,
  fromSSO,
  fromTemporaryCredentials,
  fromWebToken,
} from '@aws-sdk/credential-providers';
export { externalDataInterceptor, loadSharedConfigFiles } from '@smithy/core/config';
export { state as sdkState } from '@aws-sdk/core/client';
