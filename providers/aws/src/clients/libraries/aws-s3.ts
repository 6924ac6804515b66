// The maintained client of one of Amazon's services, in a bundle of its own.
export { S3 as Client } from '@aws-sdk/client-s3';
