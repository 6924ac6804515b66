// The maintained client of one of Amazon's services, in a bundle of its own.
export { Route53 as Client } from '@aws-sdk/client-route-53';
