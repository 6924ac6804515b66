// The maintained client of one of Amazon's services, in a separate bundle.
export { SNS as Client } from '@aws-sdk/client-sns';
