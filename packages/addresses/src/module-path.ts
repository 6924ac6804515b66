import { compareText } from '@terrane/cty';
import { compareKeys, instanceKeyText, type InstanceKey } from './instance-key.ts';
import { InternTable } from './intern-table.ts';

/** Static path of module calls from the root, without instance keys. Interned: one object per path. */
export class ModulePath {
  readonly names: readonly string[];
  /** "" for the root, else "module.a.module.b" */
  readonly text: string;
  /** undefined for the root */
  readonly parent: ModulePath | undefined;
  readonly #children: InternTable<string, ModulePath> = new InternTable();

  /** Use {@link MODULE_ROOT} and {@link ModulePath.child} to create paths. */
  constructor(parent: ModulePath | undefined, name: string) {
    this.parent = parent;
    this.names = parent === undefined ? [] : [...parent.names, name];
    this.text = parent === undefined ? '' : join(parent.text, `module.${name}`);
  }

  get isRoot(): boolean {
    return this.parent === undefined;
  }

  /** The path of the module called `name` from here. */
  child(name: string): ModulePath {
    let child = this.#children.get(name);
    if (child === undefined) {
      child = new ModulePath(this, name);
      this.#children.set(name, child);
    }
    return child;
  }

  toString(): string {
    return this.text;
  }
}

/** The root module. */
export const MODULE_ROOT: ModulePath = new ModulePath(undefined, '');

/** An instance of a module: a path with the key of every call. Interned: one object per address. */
export class ModuleInstance {
  readonly path: ModulePath;
  readonly keys: readonly InstanceKey[];
  /** "" for the root, else "module.a[0].module.b" */
  readonly text: string;
  readonly parent: ModuleInstance | undefined;
  /** name of the last call; "" for the root */
  readonly callName: string;
  /** key of the last call */
  readonly callKey: InstanceKey;
  readonly #children: Map<string, InternTable<InstanceKey, ModuleInstance>> = new Map();

  /** Use {@link ROOT_INSTANCE} and {@link ModuleInstance.child} to create instances. */
  constructor(parent: ModuleInstance | undefined, name: string, key: InstanceKey) {
    this.parent = parent;
    this.callName = name;
    this.callKey = key;
    this.path = parent === undefined ? MODULE_ROOT : parent.path.child(name);
    this.keys = parent === undefined ? [] : [...parent.keys, key];
    this.text =
      parent === undefined ? '' : join(parent.text, `module.${name}${instanceKeyText(key)}`);
  }

  get isRoot(): boolean {
    return this.parent === undefined;
  }

  /** The instance `key` of the call `name` in this module instance. */
  child(name: string, key: InstanceKey): ModuleInstance {
    let byKey = this.#children.get(name);
    if (byKey === undefined) {
      byKey = new InternTable();
      this.#children.set(name, byKey);
    }
    let child = byKey.get(key);
    if (child === undefined) {
      child = new ModuleInstance(this, name, key);
      byKey.set(key, child);
    }
    return child;
  }

  toString(): string {
    return this.text;
  }
}

/** The only instance of the root module. */
export const ROOT_INSTANCE: ModuleInstance = new ModuleInstance(undefined, '', undefined);

/** The instance of `path` in which no call has a key. */
export function unkeyedInstance(path: ModulePath): ModuleInstance {
  let instance = ROOT_INSTANCE;
  for (const name of path.names) instance = instance.child(name, undefined);
  return instance;
}

/** Order of module instances: shorter first, then step by step by name and key (ModuleInstance.Less). */
export function compareModuleInstances(a: ModuleInstance, b: ModuleInstance): number {
  if (a === b) return 0;
  if (a.keys.length !== b.keys.length) return a.keys.length - b.keys.length;
  for (let i = 0; i < a.keys.length; i++) {
    const byName = compareText(a.path.names[i] ?? '', b.path.names[i] ?? '');
    if (byName !== 0) return byName;
    const byKey = compareKeys(a.keys[i], b.keys[i]);
    if (byKey !== 0) return byKey;
  }
  return 0;
}

/** Order of module paths: shorter first, then by name. */
export function compareModulePaths(a: ModulePath, b: ModulePath): number {
  if (a === b) return 0;
  if (a.names.length !== b.names.length) return a.names.length - b.names.length;
  for (let i = 0; i < a.names.length; i++) {
    const byName = compareText(a.names[i] ?? '', b.names[i] ?? '');
    if (byName !== 0) return byName;
  }
  return 0;
}

function join(prefix: string, step: string): string {
  return prefix === '' ? step : `${prefix}.${step}`;
}
