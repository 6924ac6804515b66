// The maintained client of one of Amazon's services, in a bundle of its own.
export { SSM as Client } from '@aws-sdk/client-ssm';
