// The maintained client of one of Amazon's services, in a separate bundle.
export { S3 as Client } from '@aws-sdk/client-s3';
