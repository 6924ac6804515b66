import type { InstanceAddr } from '@terrane/addresses';
import type { InstanceState, State } from '../state/model.ts';

/**
 * Returns the selected instances and all their dependents, by stored dependencies. Other instances of the same module
 * are excluded: dependencies stay within a module instance.
 */
export function builtOn(
  state: State,
  isSelected: (addr: InstanceAddr) => boolean,
): ReadonlySet<InstanceAddr> {
  const dependents = new Map<string, InstanceAddr[]>();
  for (const addr of state.instances()) {
    for (const text of dependenciesOf(state.instance(addr))) push(dependents, text, addr);
  }
  return spread(state, isSelected, (addr) => [
    { key: addr.config.text, instances: dependents.get(addr.config.text) ?? [] },
  ]);
}

/** Returns the chosen instances and all their dependencies, by stored dependencies; see {@link builtOn}. */
export function foundationsOf(
  state: State,
  isSelected: (addr: InstanceAddr) => boolean,
): ReadonlySet<InstanceAddr> {
  const byResource = new Map<string, InstanceAddr[]>();
  for (const addr of state.instances()) push(byResource, addr.config.text, addr);
  return spread(state, isSelected, (addr) =>
    [...dependenciesOf(state.instance(addr))].map((key) => ({
      key,
      instances: byResource.get(key) ?? [],
    })),
  );
}

interface Neighbours {
  readonly key: string;
  readonly instances: readonly InstanceAddr[];
}

function spread(
  state: State,
  isSelected: (addr: InstanceAddr) => boolean,
  neighboursOf: (addr: InstanceAddr) => readonly Neighbours[],
): ReadonlySet<InstanceAddr> {
  const selected = new Set<InstanceAddr>();
  for (const addr of state.instances()) if (isSelected(addr)) selected.add(addr);
  // The neighbours of all instances of a resource in one instance of a module are the same.
  const addedKeys = new Set<string>();
  for (const addr of selected) {
    const { module } = addr.resource;
    for (const { key, instances } of neighboursOf(addr)) {
      const cacheKey = `${module.text} ${key}`;
      if (addedKeys.has(cacheKey)) continue;
      addedKeys.add(cacheKey);
      for (const other of instances) {
        const { module: at } = other.resource;
        if (at === module || at.path !== module.path) selected.add(other);
      }
    }
  }
  return selected;
}

function dependenciesOf(instance: InstanceState | undefined): ReadonlySet<string> {
  const all = new Set(instance?.current?.dependencies);
  for (const object of instance?.deposed.values() ?? [])
    for (const text of object.dependencies) all.add(text);
  return all;
}

function push(lists: Map<string, InstanceAddr[]>, key: string, addr: InstanceAddr): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [addr]);
  else list.push(addr);
}
