// The maintained client of one of Amazon's services, in a separate bundle.
export { DynamoDB as Client } from '@aws-sdk/client-dynamodb';
