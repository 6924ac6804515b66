export { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
export {
  fromNodeProviderChain,
  fromTemporaryCredentials,
  fromTokenFile,
  fromWebToken,
} from '@aws-sdk/credential-providers';
