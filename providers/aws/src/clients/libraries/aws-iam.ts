// The maintained client of one of Amazon's services, in a bundle of its own.
export { IAM as Client, waitForUserExists } from '@aws-sdk/client-iam';
