// The maintained client of one of Amazon's services, in a bundle of its own.
export { EC2 as Client } from '@aws-sdk/client-ec2';
