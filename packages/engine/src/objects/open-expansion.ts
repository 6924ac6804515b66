import type { Resource } from '../config/model.ts';
import { type Expansion, SINGLE } from '../evaluate/repetition.ts';

/** How a resource repeats in a module whose instances are not known: nothing of it is, either. */
export function openExpansion(resource: Resource): Expansion {
  if (resource.count !== undefined) return { kind: 'unknown', by: 'count' };
  return resource.forEach === undefined ? SINGLE : { kind: 'unknown', by: 'forEach' };
}
