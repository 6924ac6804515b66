import type { InstanceAddr } from '@terrane/addresses';
import { dialectOf, dialectRules } from '../config/dialect.ts';
import type { Module, Removed, Resource } from '../config/model.ts';
import type { StoredObject } from '../state/model.ts';
import type { Action, ActionReason } from './change.ts';

/** Returns true if objects of a resource are forgotten instead of destroyed. */
export function leavesObjects(resource: Pick<Resource, 'destroy'> | undefined): boolean {
  return resource?.destroy === false;
}

/**
 * Returns true if the state records `destroy = false`, so that it still holds after the block is removed. This is
 * OpenTofu's semantics; in Terraform only the block counts.
 */
export function isKeptInState(resource: Resource): boolean {
  return leavesObjects(resource) && dialectRules(resource.range).keepsSkipDestroy;
}

/** Returns the replacement action for an object that is forgotten; the two actions differ only in their wording. */
export function replaceAndForget(resource: Resource): Action {
  const [first] = dialectRules(resource.range).replaceWithoutDestroy;
  return first === 'forget' ? 'forget-then-create' : 'create-then-forget';
}

/** The reason why an object is forgotten, unless the configuration implies it. */
export interface Forgetting {
  readonly reason?: ActionReason;
}

/**
 * Decides about an object that is no longer configured: returns a value if it is forgotten, undefined if it is
 * destroyed. `removed` blocks take precedence over its `lifecycle` block, which takes precedence over the state.
 */
export function forgetting(
  resource: Resource | undefined,
  stored: StoredObject,
  removed: readonly Removed[],
): Forgetting | undefined {
  const isLeft = leavesObjects(resource) || stored.skipDestroy === true;
  const isForgotten = removed.length > 0 ? removed.some(({ destroy }) => !destroy) : isLeft;
  if (!isForgotten) return undefined;
  if (resource !== undefined && leavesObjects(resource)) {
    return dialectOf(resource.range) === 'opentofu'
      ? { reason: 'forgot_because_lifecycle_destroy_in_config' }
      : {};
  }
  return stored.skipDestroy === true ? { reason: 'forgot_because_lifecycle_destroy_in_state' } : {};
}

/** Returns the `removed` blocks that apply to an instance. */
export function removedBlocksOf(modules: Iterable<Module>, addr: InstanceAddr): readonly Removed[] {
  const blocks: Removed[] = [];
  for (const module of modules) {
    for (const removed of module.removed) if (covers(module, removed, addr)) blocks.push(removed);
  }
  return blocks;
}

function covers(holder: Module, { from }: Removed, addr: InstanceAddr): boolean {
  const names = [...holder.path.names, ...from.module.names];
  const within = addr.resource.module.path.names;
  if (!names.every((name, position) => within[position] === name)) return false;
  if (from.resource === undefined) return true;
  return from.resource === addr.resource.resource && within.length === names.length;
}
