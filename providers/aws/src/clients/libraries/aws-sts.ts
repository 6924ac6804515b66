// The maintained client of one of Amazon's services, in a bundle of its own.
export { STS as Client } from '@aws-sdk/client-sts';
