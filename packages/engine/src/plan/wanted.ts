import type { InstanceAddr, ModuleInstance } from '@terrane/addresses';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { CallCell, ModuleCells } from '../evaluate/module-cells.ts';

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
export function isWanted(evaluation: Evaluation, addr: InstanceAddr): boolean {
  const { module, resource } = addr.resource;
  if (isInOpenCall(evaluation, module)) return true;
  const cell = evaluation.find(module)?.resources.get(resource.text);
  if (cell === undefined) return false;
  const { expansion } = cell;
  switch (expansion.kind) {
    case 'single':
      return addr.key === undefined;
    case 'disabled':
      return false;
    case 'count':
      return typeof addr.key === 'number' && addr.key < expansion.count;
    case 'forEach':
      return typeof addr.key === 'string' && expansion.each.has(addr.key);
    case 'unknown':
      return true;
  }
}
