// The maintained client of one of Amazon's services, in a separate bundle.
export { SecretsManager as Client } from '@aws-sdk/client-secrets-manager';
