import type { Service } from '../resource/service.ts';
import { bucketData } from './bucket-data.ts';
import { bucketEncryption } from './bucket-encryption.ts';
import { bucketLifecycle } from './bucket-lifecycle.ts';
import { bucketPolicy } from './bucket-policy.ts';
import { bucketPublicAccessBlock } from './bucket-public-access-block.ts';
import { bucketVersioning } from './bucket-versioning.ts';
import { bucket } from './bucket.ts';
import { object } from './object.ts';

export const s3: Service = {
  resources: {
    aws_s3_bucket: bucket,
    aws_s3_bucket_lifecycle_configuration: bucketLifecycle,
    aws_s3_bucket_policy: bucketPolicy,
    aws_s3_bucket_public_access_block: bucketPublicAccessBlock,
    aws_s3_bucket_server_side_encryption_configuration: bucketEncryption,
    aws_s3_bucket_versioning: bucketVersioning,
    aws_s3_object: object,
  },
  dataSources: { aws_s3_bucket: bucketData },
};
