import type { Service } from '../resource/service.ts';
import { bucketAcl } from './bucket-acl.ts';
import { bucketCors } from './bucket-cors.ts';
import { bucketData } from './bucket-data.ts';
import { bucketEncryption } from './bucket-encryption.ts';
import { bucketLifecycle } from './bucket-lifecycle.ts';
import { bucketLogging } from './bucket-logging.ts';
import { bucketNotification } from './bucket-notification.ts';
import { bucketObjectLock } from './bucket-object-lock.ts';
import { bucketOwnershipControls } from './bucket-ownership-controls.ts';
import { bucketPolicy } from './bucket-policy.ts';
import { bucketPublicAccessBlock } from './bucket-public-access-block.ts';
import { bucketReplication } from './bucket-replication.ts';
import { bucketVersioning } from './bucket-versioning.ts';
import { bucketWebsite } from './bucket-website.ts';
import { bucket } from './bucket.ts';
import { object } from './object.ts';

export const s3: Service = {
  resources: {
    aws_s3_bucket: bucket,
    aws_s3_bucket_acl: bucketAcl,
    aws_s3_bucket_cors_configuration: bucketCors,
    aws_s3_bucket_lifecycle_configuration: bucketLifecycle,
    aws_s3_bucket_logging: bucketLogging,
    aws_s3_bucket_notification: bucketNotification,
    aws_s3_bucket_object_lock_configuration: bucketObjectLock,
    aws_s3_bucket_ownership_controls: bucketOwnershipControls,
    aws_s3_bucket_policy: bucketPolicy,
    aws_s3_bucket_public_access_block: bucketPublicAccessBlock,
    aws_s3_bucket_replication_configuration: bucketReplication,
    aws_s3_bucket_server_side_encryption_configuration: bucketEncryption,
    aws_s3_bucket_versioning: bucketVersioning,
    aws_s3_bucket_website_configuration: bucketWebsite,
    aws_s3_object: object,
  },
  dataSources: { aws_s3_bucket: bucketData },
};
