import type { Source } from '@terrane/hcl';
import type { Configuration, Module } from '../model.ts';
import type { MemoNode } from './check-memo.ts';

/**
 * Returns true if the dependencies of the declarations include all those by which the program of the configuration is
 * ordered, so that an order of the declarations is one of the program too. The program has more of them for the nodes
 * that this function rejects: those of called modules, validation rules, which every reference to their variable waits
 * for, actions, imports, provisioners and the like, several provider blocks that one reference leads to, and calls of
 * provider functions.
 */
export function hasAllDependencies(
  { modules, root, sources }: Configuration,
  nodes: readonly MemoNode[],
): boolean {
  if (modules.size !== 1 || root.calls.size + root.actions.size + root.imports.length > 0)
    return false;
  for (const { validations } of root.variables.values()) if (validations.length > 0) return false;
  if (!hasDistinctProviders(root)) return false;
  // The last node is the module itself, on which nothing depends.
  for (let i = 0; i < nodes.length - 1; i++) if (nodes[i]?.isVolatile === true) return false;
  for (const source of sources.values()) if (mayCallProviders(source)) return false;
  return true;
}

/** Returns true if no two provider blocks configure the same provider under the same alias, and none is mocked. */
function hasDistinctProviders(module: Module): boolean {
  const keys = new Set<string>();
  for (const { name, alias, mocked } of module.providers.values()) {
    if (mocked === true) return false;
    keys.add(`${module.providerSource(name).text} ${alias ?? ''}`);
  }
  return keys.size === module.providers.size;
}

/** Returns true unless a file certainly calls no namespaced function. A JSON file may write the colons as escapes. */
function mayCallProviders({ text }: Source): boolean {
  return text.includes('::') || text.includes('\\u');
}
