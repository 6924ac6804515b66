// The credential providers of the AWS SDK, in a separate bundle.
export {
  fromHttp,
  fromIni,
  fromSSO,
  fromTemporaryCredentials,
  fromWebToken,
} from '@aws-sdk/credential-providers';
export { externalDataInterceptor, loadSharedConfigFiles } from '@smithy/core/config';
export { state as sdkState } from '@aws-sdk/core/client';
