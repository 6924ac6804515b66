// The maintained client of one of Amazon's services, in a bundle of its own.
export { Kafka as Client } from '@aws-sdk/client-kafka';
