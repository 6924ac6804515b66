// The maintained client of one of Amazon's services, in a separate bundle.
export { SQS as Client } from '@aws-sdk/client-sqs';
