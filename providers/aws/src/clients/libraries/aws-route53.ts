// The maintained client of one of Amazon's services, in a separate bundle.
export { Route53 as Client } from '@aws-sdk/client-route-53';
