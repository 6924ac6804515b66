// The maintained client of one of Amazon's services, in a bundle of its own.
export { ECS as Client } from '@aws-sdk/client-ecs';
