import type { ModuleInstance } from '@terrane/addresses';
import type { Evaluation } from '../evaluate/evaluation.ts';

/**
 * Returns the address of the outermost missing module instance around a module instance if it is missing because
 * `enabled` of its call is false; undefined if it is missing for another reason.
 */
export function disabledModule(evaluation: Evaluation, module: ModuleInstance): string | undefined {
  let missing = module;
  let { parent } = missing;
  while (parent !== undefined && evaluation.find(parent) === undefined) {
    missing = parent;
    ({ parent } = missing);
  }
  const caller = parent === undefined ? undefined : evaluation.find(parent);
  const name = missing.path.names.at(-1);
  if (caller === undefined || name === undefined) return undefined;
  const isEnabledCall = caller.module.calls.get(name)?.enabled !== undefined;
  // An instance with a key was created by count or for_each, which `enabled` excludes.
  return isEnabledCall && missing.keys.at(-1) === undefined ? missing.text : undefined;
}
