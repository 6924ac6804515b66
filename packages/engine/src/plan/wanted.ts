import type { AbsResource, InstanceAddr, InstanceKey, ModuleInstance } from '@terrane/addresses';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { CallCell, ModuleCells } from '../evaluate/module-cells.ts';
import type { Expansion } from '../evaluate/repetition.ts';

/** Returns true if a module call on the path has instances that are not known yet. */
function isInOpenCall(evaluation: Evaluation, module: ModuleInstance): boolean {
  if (!evaluation.deferring) return false;
  let cells: ModuleCells | undefined = evaluation.root;
  for (const [index, name] of module.path.names.entries()) {
    const call: CallCell | undefined = cells?.calls.get(name);
    if (call?.expansion.kind === 'unknown') return true;
    cells = call?.instances.get(module.keys[index]);
  }
  return false;
}

/** Returns true if it is not known yet whether an instance is configured. */
export function isUndecided(evaluation: Evaluation, { resource }: InstanceAddr): boolean {
  if (isInOpenCall(evaluation, resource.module)) return true;
  const cell = evaluation.find(resource.module)?.resources.get(resource.resource.text);
  return cell?.expansion.kind === 'unknown';
}

/** Returns true if an instance is configured, or may be once its keys are known. */
export function isWanted(evaluation: Evaluation, { resource, key }: InstanceAddr): boolean {
  return isWantedIn(wantedIn(evaluation, resource), key);
}

/** The configured instances of a resource; 'any' if they are not known yet, undefined if it is not configured. */
export type WantedKeys = Expansion | 'any' | undefined;

/** Returns what {@link isWantedIn} needs, once for all instances of a resource. */
export function wantedIn(evaluation: Evaluation, { module, resource }: AbsResource): WantedKeys {
  if (isInOpenCall(evaluation, module)) return 'any';
  return evaluation.find(module)?.resources.get(resource.text)?.expansion;
}

/** Returns true if the instance of a resource with this key is configured, or may be once the keys are known. */
export function isWantedIn(wanted: WantedKeys, key: InstanceKey): boolean {
  if (wanted === undefined || wanted === 'any') return wanted === 'any';
  switch (wanted.kind) {
    case 'single':
      return key === undefined;
    case 'disabled':
      return false;
    case 'count':
      return typeof key === 'number' && key < wanted.count;
    case 'forEach':
      return typeof key === 'string' && wanted.each.has(key);
    case 'unknown':
      return true;
  }
}
