// The maintained client of one of Amazon's services, in a separate bundle.
export { EC2 as Client } from '@aws-sdk/client-ec2';
