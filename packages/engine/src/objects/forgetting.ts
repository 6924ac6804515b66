import type { InstanceAddr } from '@terrane/addresses';
import { dialectOf, dialectRules } from '../config/dialect.ts';
import type { Module, Removed, Resource } from '../config/model.ts';
import type { StoredObject } from '../state/model.ts';
import type { Action, ActionReason } from './change.ts';

/** Whether objects of a resource are left as they are where they would be destroyed. */
export function leavesObjects(resource: Pick<Resource, 'destroy'> | undefined): boolean {
  return resource?.destroy === false;
}

/**
 * Whether the state is to keep that, so that it still holds when the block is gone: OpenTofu's
 * meaning. In Terraform's the block says it, and nothing else.
 */
export function isKeptInState(resource: Resource): boolean {
  return leavesObjects(resource) && dialectRules(resource.range).keepsSkipDestroy;
}

/** How an object is replaced that is left as it is: what comes first in the plan's words is all that differs. */
export function replaceAndForget(resource: Resource): Action {
  const [first] = dialectRules(resource.range).replaceWithoutDestroy;
  return first === 'forget' ? 'forget-then-create' : 'create-then-forget';
}

/** An object that goes from the state only, and why, where the configuration's shape does not say it. */
export interface Forgetting {
  readonly reason?: ActionReason;
}

/**
 * Whether an object that nobody asks for any more is forgotten rather than destroyed. `removed` blocks,
 * the latest that was said of it, come before its `lifecycle` block, and that before the state.
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

/** The `removed` blocks that are about an instance. */
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
