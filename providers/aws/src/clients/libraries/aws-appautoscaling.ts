// The maintained client of one of Amazon's services, in a bundle of its own.
export { ApplicationAutoScaling as Client } from '@aws-sdk/client-application-auto-scaling';
