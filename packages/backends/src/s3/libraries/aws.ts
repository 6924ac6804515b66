// The maintained clients of Amazon's services, in a separate bundle.
export {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
export {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
export { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
export {
  fromHttp,
  fromIni,
  fromSSO,
  fromTemporaryCredentials,
  fromWebToken,
} from '@aws-sdk/credential-providers';
export { externalDataInterceptor, loadSharedConfigFiles } from '@smithy/core/config';
export { state as sdkState } from '@aws-sdk/core/client';
export { HttpResponse } from '@smithy/core/transport';
