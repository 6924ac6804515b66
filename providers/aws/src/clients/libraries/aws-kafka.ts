// The maintained client of one of Amazon's services, in a separate bundle.
export { Kafka as Client } from '@aws-sdk/client-kafka';
