import type { Resource } from '../config/model.ts';
import { type Expansion, SINGLE } from '../evaluate/repetition.ts';

/** Returns the expansion of a resource in a module with unknown instances: it is unknown too. */
export function openExpansion(resource: Resource): Expansion {
  if (resource.count !== undefined) return { kind: 'unknown', by: 'count' };
  return resource.forEach === undefined ? SINGLE : { kind: 'unknown', by: 'forEach' };
}
