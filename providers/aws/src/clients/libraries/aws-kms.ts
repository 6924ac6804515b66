// The maintained client of one of Amazon's services, in a separate bundle.
export { KMS as Client } from '@aws-sdk/client-kms';
