// The maintained client of one of Amazon's services, in a separate bundle.
export { IAM as Client, waitForUserExists } from '@aws-sdk/client-iam';
