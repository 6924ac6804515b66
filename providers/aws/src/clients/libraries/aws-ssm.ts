// The maintained client of one of Amazon's services, in a separate bundle.
export { SSM as Client } from '@aws-sdk/client-ssm';
