import { compareText } from '@terrane/cty';
import { compareKeys, instanceKeyText, type InstanceKey } from './instance-key.ts';
import { InternTable } from './intern-table.ts';
import { compareModuleInstances, type ModuleInstance, type ModulePath } from './module-path.ts';

/** `resource`, `data` or `ephemeral` block, or `list` block of a query. */
export type ResourceMode = 'managed' | 'data' | 'ephemeral' | 'list';

const PREFIX: Readonly<Record<ResourceMode, string>> = {
  managed: '',
  data: 'data.',
  ephemeral: 'ephemeral.',
  list: 'list.',
};

const MODE_ORDER: Readonly<Record<ResourceMode, number>> = {
  data: 0,
  managed: 1,
  ephemeral: 2,
  list: 3,
};

/**
 * The objects of a resource by module. Most resources are in a single module, which needs no table; modules are weakly
 * referenced.
 */
class ByModule<M extends object, V extends { readonly module: M }> {
  #first: V | undefined;
  #others: WeakMap<M, V> | undefined;

  get(module: M): V | undefined {
    return this.#first?.module === module ? this.#first : this.#others?.get(module);
  }

  add(value: V): void {
    if (this.#first === undefined) this.#first = value;
    else (this.#others ??= new WeakMap()).set(value.module, value);
  }
}

/** A resource inside its module. Interned. */
export class ResourceAddr {
  static readonly #interned: InternTable<string, ResourceAddr> = new InternTable();
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  /** "aws_x.y", "data.aws_x.y", "ephemeral.x.y" or "list.x.y" */
  readonly text: string;
  /** for {@link ConfigResource.of} only */
  readonly configResources: ByModule<ModulePath, ConfigResource> = new ByModule();
  /** for {@link AbsResource.of} only */
  readonly absResources: ByModule<ModuleInstance, AbsResource> = new ByModule();

  private constructor(mode: ResourceMode, type: string, name: string, text: string) {
    this.mode = mode;
    this.type = type;
    this.name = name;
    this.text = text;
  }

  static of(mode: ResourceMode, type: string, name: string): ResourceAddr {
    const text = `${PREFIX[mode]}${type}.${name}`;
    let interned = ResourceAddr.#interned.get(text);
    if (interned === undefined) {
      interned = new ResourceAddr(mode, type, name, text);
      ResourceAddr.#interned.set(text, interned);
    }
    return interned;
  }

  /** Local name of the provider that the type's prefix implies. */
  get impliedProvider(): string {
    const underscore = this.type.indexOf('_');
    return underscore === -1 ? this.type : this.type.slice(0, underscore);
  }

  toString(): string {
    return this.text;
  }
}

/** A resource of the static module tree, without any key. Interned. */
export class ConfigResource {
  readonly module: ModulePath;
  readonly resource: ResourceAddr;
  /** "module.a.aws_x.y" */
  readonly text: string;

  private constructor(module: ModulePath, resource: ResourceAddr) {
    this.module = module;
    this.resource = resource;
    this.text = module.isRoot ? resource.text : `${module.text}.${resource.text}`;
  }

  static of(module: ModulePath, resource: ResourceAddr): ConfigResource {
    let interned = resource.configResources.get(module);
    if (interned === undefined) {
      interned = new ConfigResource(module, resource);
      resource.configResources.add(interned);
    }
    return interned;
  }

  toString(): string {
    return this.text;
  }
}

/** A resource in one module instance, all its instances together. Interned. */
export class AbsResource {
  readonly module: ModuleInstance;
  readonly resource: ResourceAddr;
  /** "module.a[0].aws_x.y" */
  readonly text: string;
  readonly config: ConfigResource;
  /** The instances with the keys 0, 1, … in order; an array is a fifth as large as a map. */
  readonly #numbered: InstanceAddr[] = [];
  /** The instance without a key, which is the only one of most resources. */
  #single: InstanceAddr | undefined;
  /** All other instances. */
  #instances: Map<InstanceKey, InstanceAddr> | undefined;

  private constructor(module: ModuleInstance, resource: ResourceAddr) {
    this.module = module;
    this.resource = resource;
    this.text = module.isRoot ? resource.text : `${module.text}.${resource.text}`;
    this.config = ConfigResource.of(module.path, resource);
  }

  static of(module: ModuleInstance, resource: ResourceAddr): AbsResource {
    let interned = resource.absResources.get(module);
    if (interned === undefined) {
      interned = new AbsResource(module, resource);
      resource.absResources.add(interned);
    }
    return interned;
  }

  /** The instance with this key. */
  instance(key: InstanceKey): InstanceAddr {
    if (key === undefined) return (this.#single ??= new InstanceAddr(this, key));
    const numbered = typeof key === 'number' ? this.#numbered[key] : undefined;
    const known = numbered ?? this.#instances?.get(key);
    if (known !== undefined) return known;
    const made = new InstanceAddr(this, key);
    if (key === this.#numbered.length) this.#numbered.push(made);
    else (this.#instances ??= new Map()).set(key, made);
    return made;
  }

  toString(): string {
    return this.text;
  }
}

/** An instance of a resource. Interned. */
export class InstanceAddr {
  readonly resource: AbsResource;
  readonly key: InstanceKey;
  /** "module.a[0].aws_x.y[\"k\"]" */
  readonly text: string;

  /** Use {@link AbsResource.instance} to create instances. */
  constructor(resource: AbsResource, key: InstanceKey) {
    this.resource = resource;
    this.key = key;
    this.text = key === undefined ? resource.text : resource.text + instanceKeyText(key);
  }

  get config(): ConfigResource {
    return this.resource.config;
  }

  toString(): string {
    return this.text;
  }
}

/** Order of resources in a module: data sources first, then by type and name (Resource.Less). */
function compareResourceAddrs(a: ResourceAddr, b: ResourceAddr): number {
  if (a === b) return 0;
  if (a.mode !== b.mode) return MODE_ORDER[a.mode] - MODE_ORDER[b.mode];
  return compareText(a.type, b.type) || compareText(a.name, b.name);
}

/** Order of absolute resources: by module instance, then as {@link compareResourceAddrs}. */
export function compareAbsResources(a: AbsResource, b: AbsResource): number {
  if (a === b) return 0;
  return compareModuleInstances(a.module, b.module) || compareResourceAddrs(a.resource, b.resource);
}

/** Order of resource instances, as AbsResourceInstance.Less: module instance, data first, type, name, key. */
export function compareInstances(a: InstanceAddr, b: InstanceAddr): number {
  if (a.resource === b.resource) return compareKeys(a.key, b.key);
  return compareAbsResources(a.resource, b.resource);
}
