import { compareActionInstances, compareInstances } from '@terrane/addresses';
import type { DeferredChange, PlannedChange, PlannedInvocation } from '../objects/change.ts';

/** Sorts by {@link compareInvocations}. */
export function sortInvocations(
  invocations: readonly PlannedInvocation[],
): readonly PlannedInvocation[] {
  return [...invocations].sort(compareInvocations);
}

/**
 * Compares by triggering resource; invocations of the same resource keep their execution order. Invocations requested
 * by the user come first, by address.
 */
export function compareInvocations(a: PlannedInvocation, b: PlannedInvocation): number {
  const left = a.trigger.kind === 'lifecycle' ? a.trigger.resource : undefined;
  const right = b.trigger.kind === 'lifecycle' ? b.trigger.resource : undefined;
  if (left === undefined || right === undefined) {
    if (left !== right) return left === undefined ? -1 : 1;
    return compareActionInstances(a.addr, b.addr);
  }
  return left === right ? 0 : compareInstances(left, right);
}

/** Sorts by address, like {@link sortChanges}. */
export function sortDeferred(deferred: DeferredChange[]): DeferredChange[] {
  return deferred.sort((a, b) => {
    const [left, right] = [a.change, b.change];
    if (left.addr !== right.addr) return compareInstances(left.addr, right.addr);
    return (left.deposed ?? '') < (right.deposed ?? '') ? -1 : 1;
  });
}

/** Sorts by address, the current object before deposed ones. */
export function sortChanges(changes: PlannedChange[]): PlannedChange[] {
  return changes.sort((a, b) => {
    if (a.addr !== b.addr) return compareInstances(a.addr, b.addr);
    return (a.deposed ?? '') < (b.deposed ?? '') ? -1 : 1;
  });
}
