// The maintained client of one of Amazon's services, in a separate bundle.
export { ApplicationAutoScaling as Client } from '@aws-sdk/client-application-auto-scaling';
