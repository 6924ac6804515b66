// The maintained client of one of Amazon's services, in a separate bundle.
export { Lambda as Client } from '@aws-sdk/client-lambda';
