// The maintained client of one of Amazon's services, in a separate bundle.
export { ECS as Client } from '@aws-sdk/client-ecs';
