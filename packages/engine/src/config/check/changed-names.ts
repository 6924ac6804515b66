import type { Configuration, Module, ModuleCall, Output, Resource, Variable } from '../model.ts';

/**
 * Returns the keys of the declarations that were added, removed or changed in what others see of them between two loads
 * of a configuration, as `StaticCheck` names them. Returns undefined if the difference may affect every declaration.
 */
export function changedNames(
  before: Configuration,
  now: Configuration,
): ReadonlySet<string> | undefined {
  if (before.modules.size !== now.modules.size) return undefined;
  const names = new Set<string>();
  for (const [path, module] of now.modules) {
    const earlier = before.modules.get(path);
    if (earlier === undefined || !isSamePlace(earlier, module)) return undefined;
    const add = (key: string): void => void names.add(`${path}|${key}`);
    compare(earlier.variables, module.variables, sameVariable, (name) => add(`var.${name}`));
    compare(earlier.locals, module.locals, isAlike, (name) => add(`local.${name}`));
    compare(earlier.outputs, module.outputs, sameOutput, (name) => add(`output.${name}`));
    compare(earlier.resources, module.resources, sameResource, add);
    compare(earlier.checks, module.checks, isAlike, (name) => add(`check.${name}`));
    compare(earlier.calls, module.calls, sameCall, (name) => add(`module.${name}`));
  }
  return names;
}

/** Returns false if something differs that any declaration of a module may depend on. */
function isSamePlace(before: Module, now: Module): boolean {
  return (
    before.directory === now.directory &&
    isSameCall(before.call, now.call) &&
    isSameMap(before.requiredProviders, now.requiredProviders) &&
    isSameMap(before.providerMetas, now.providerMetas) &&
    isSameMap(before.actions, now.actions) &&
    hasSameProviders(before, now) &&
    isSameMap(triggering(before), triggering(now))
  );
}

function isSameCall(before: ModuleCall | undefined, now: ModuleCall | undefined): boolean {
  if (before === now) return true;
  return (
    before !== undefined &&
    now !== undefined &&
    before.sourceText === now.sourceText &&
    before.ignoreNestedDeprecations === now.ignoreNestedDeprecations &&
    before.providers === undefined &&
    now.providers === undefined
  );
}

/** Bodies of provider blocks are not visible to others. */
function hasSameProviders(before: Module, now: Module): boolean {
  if (before.providers.size !== now.providers.size) return false;
  for (const [key, block] of now.providers) {
    const earlier = before.providers.get(key);
    if (earlier === block) continue;
    // An empty block in a module stands for one that is passed in.
    if (earlier === undefined || now.parent !== undefined) return false;
    if (earlier.forEach !== undefined || block.forEach !== undefined) return false;
    if (earlier.mocked !== block.mocked) return false;
  }
  return true;
}

/** Resources that trigger actions: these are validated as their resources see them. */
function triggering({ actions, resources }: Module): ReadonlyMap<string, Resource> {
  if (actions.size === 0) return NO_RESOURCES;
  return new Map([...resources].filter(([, { actionTriggers }]) => actionTriggers.length > 0));
}

const NO_RESOURCES: ReadonlyMap<string, Resource> = new Map();

function isSameMap<T>(before: ReadonlyMap<string, T>, now: ReadonlyMap<string, T>): boolean {
  if (before === now) return true;
  if (before.size !== now.size) return false;
  for (const [key, item] of now) if (before.get(key) !== item) return false;
  return true;
}

/** Calls `changed` for each key that only one map has, or whose items are not alike. */
function compare<T>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
  alike: (a: T, b: T) => boolean,
  changed: (key: string) => void,
): void {
  let common = 0;
  for (const [key, item] of now) {
    const earlier = before.get(key);
    if (earlier === undefined) {
      changed(key);
      continue;
    }
    common++;
    if (earlier !== item && !alike(earlier, item)) changed(key);
  }
  if (common === before.size) return;
  for (const key of before.keys()) if (!now.has(key)) changed(key);
}

/** Of local values and checks, only the name and the value are visible. */
function isAlike(): boolean {
  return true;
}

function sameVariable(a: Variable, b: Variable): boolean {
  return (
    a.type === b.type &&
    a.constraint === b.constraint &&
    a.sensitive === b.sensitive &&
    a.ephemeral === b.ephemeral &&
    a.nullable === b.nullable &&
    a.deprecated === b.deprecated &&
    (a.default === undefined) === (b.default === undefined)
  );
}

function sameOutput(a: Output, b: Output): boolean {
  return (
    a.constraint === b.constraint &&
    a.sensitive === b.sensitive &&
    a.ephemeral === b.ephemeral &&
    a.deprecated === b.deprecated
  );
}

function sameResource(a: Resource, b: Resource): boolean {
  return a.provider === b.provider && a.check === b.check && sameRepetition(a, b);
}

function sameCall(a: ModuleCall, b: ModuleCall): boolean {
  return isSameCall(a, b) && sameRepetition(a, b);
}

function sameRepetition(a: Resource | ModuleCall, b: Resource | ModuleCall): boolean {
  return (
    (a.count === undefined) === (b.count === undefined) &&
    (a.forEach === undefined) === (b.forEach === undefined) &&
    (a.enabled === undefined) === (b.enabled === undefined)
  );
}
