// The maintained client of one of Amazon's services, in a separate bundle.
export { STS as Client } from '@aws-sdk/client-sts';
