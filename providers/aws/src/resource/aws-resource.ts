import { type Attributes, type Blocks, type Resource, withClient } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import type { AwsResourceOptions } from './resource-options.ts';
import { runtimeOf } from './resource-runtime.ts';

/**
 * Defines a resource type of AWS, with what all of them share: region, tags, ids, import, waits for new objects, and
 * warnings about missing ones.
 */
export function awsResource<A extends Attributes, B extends Blocks = {}, F = unknown>(
  options: AwsResourceOptions<A, B, F>,
): Resource<Aws> {
  // Its handlers are called with the types of their schema: see resource-runtime.ts.
  const define = withClient<Aws>().resource as unknown as (options: object) => Resource<Aws>;
  return define(runtimeOf(options as unknown as AwsResourceOptions<Attributes, Blocks, unknown>));
}
