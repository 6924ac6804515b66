import { type Attributes, type Blocks, type Resource, withClient } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import type { AwsResourceOptions } from './resource-options.ts';
import { runtimeOf } from './resource-runtime.ts';

/**
 * Defines a resource type of Amazon's. What all of them have in common is done here: region, tags, ids, import, waiting
 * for what was just created, and warning of what is gone.
 */
export function awsResource<A extends Attributes, B extends Blocks = {}, F = unknown>(
  options: AwsResourceOptions<A, B, F>,
): Resource<Aws> {
  // Its handlers are called with what their types say: see resource-runtime.ts.
  const define = withClient<Aws>().resource as unknown as (options: object) => Resource<Aws>;
  return define(runtimeOf(options as unknown as AwsResourceOptions<Attributes, Blocks, unknown>));
}
