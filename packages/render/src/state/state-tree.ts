import { compareInstances, type InstanceAddr, type ModuleInstance } from '@terrane/addresses';
import { Bug, compareText, CtyError, formatPath, type Value } from '@terrane/cty';
import { decodeStored, type Schemas, type State, type StoredObject } from '@terrane/engine';
import { impliedType, type Schema } from '@terrane/provider';
import { withSchemaMarks } from '../diff/schema-marks.ts';

/** An object of a state, with its schema. */
export class StateItem {
  readonly #state: State;
  readonly addr: InstanceAddr;
  readonly deposed: string | undefined;
  readonly schema: Schema;

  constructor(state: State, addr: InstanceAddr, deposed: string | undefined, schema: Schema) {
    this.#state = state;
    this.addr = addr;
    this.deposed = deposed;
    this.schema = schema;
  }

  /** The stored object. The state parses it when it is read, because a tree of all parsed objects may be very large. */
  get object(): StoredObject {
    const instance = this.#state.instance(this.addr);
    const object =
      this.deposed === undefined ? instance?.current : instance?.deposed.get(this.deposed);
    if (object === undefined) throw new Bug(`the state has no such object of ${this.addr.text}`);
    return object;
  }
}

/** The objects of one module instance, in the order in which they are shown, and the modules in it. */
export interface StateModule {
  /** "" for the root */
  readonly address: string;
  readonly items: readonly StateItem[];
  readonly children: readonly StateModule[];
}

/** The error for a stored object whose schema is missing, of another version, or incompatible. */
export class StateSchemaError extends Error {
  override readonly name = 'StateSchemaError';
}

interface MutableModule {
  readonly address: string;
  readonly items: StateItem[];
  readonly children: MutableModule[];
}

/**
 * The objects of a state by module, deposed ones after the current one. Throws a
 * {@link StateSchemaError} with Terraform's message if the schemas do not match the state.
 */
export function stateTree(state: State, schemas: Schemas): StateModule {
  const root: MutableModule = { address: '', items: [], children: [] };
  const modules = new Map<string, MutableModule>([['', root]]);
  const addresses = [...state.instances()].sort(compareInstances);
  for (const addr of addresses) {
    const module = moduleOf(addr.resource.module, modules);
    const instance = state.instance(addr);
    if (instance === undefined) continue;
    const current = currentItem(state, instance.current, addr, schemas);
    if (current !== undefined) module.items.push(current);
    for (const [deposed, object] of instance.deposed) {
      module.items.push(new StateItem(state, addr, deposed, schemaOf(object, addr, schemas)));
    }
  }
  for (const module of modules.values()) {
    module.children.sort((a, b) => compareText(a.address, b.address));
  }
  return root;
}

/** Returns the current object of an instance; undefined if there is none. Throws like {@link stateTree}. */
export function itemAt(state: State, addr: InstanceAddr, schemas: Schemas): StateItem | undefined {
  return currentItem(state, state.instance(addr)?.current, addr, schemas);
}

function currentItem(
  state: State,
  object: StoredObject | undefined,
  addr: InstanceAddr,
  schemas: Schemas,
): StateItem | undefined {
  if (object === undefined) return undefined;
  const schema = schemaOf(object, addr, schemas);
  checkVersion(object, addr, schema);
  return new StateItem(state, addr, undefined, schema);
}

function moduleOf(instance: ModuleInstance, modules: Map<string, MutableModule>): MutableModule {
  const existing = modules.get(instance.text);
  if (existing !== undefined) return existing;
  if (instance.parent === undefined) throw new Bug('the root module is always known');
  const module: MutableModule = { address: instance.text, items: [], children: [] };
  modules.set(instance.text, module);
  moduleOf(instance.parent, modules).children.push(module);
  return module;
}

function schemaOf(object: StoredObject, addr: InstanceAddr, schemas: Schemas): Schema {
  const { resource } = addr.resource;
  const provider = object.provider.provider;
  const schema = schemas.resource(provider, resource.mode, resource.type);
  if (schema === undefined) {
    throw new StateSchemaError(
      `no schema found for ${resource.text} (in provider ${provider.text})`,
    );
  }
  return schema;
}

function checkVersion(object: StoredObject, addr: InstanceAddr, schema: Schema): void {
  if (object.schemaVersion === schema.version) return;
  throw new StateSchemaError(
    `schema version ${object.schemaVersion} for ${addr.resource.resource.text} in state does not match version ${schema.version} from the provider`,
  );
}

/**
 * Returns the value of an object, with sensitive marks of the configuration and the schema. Throws a
 * {@link StateSchemaError} if the stored value does not conform to the schema.
 */
export function itemValue(item: StateItem): Value {
  const { block } = item.schema;
  try {
    return withSchemaMarks(decodeStored(item.object, impliedType(block)), block);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const pathText = formatPath(error.path);
    const reason = pathText === '' ? error.message : `${pathText}: ${error.message}`;
    throw new StateSchemaError(
      `the stored object of ${item.addr.text} does not conform to the schema of its provider: ${reason}`,
      { cause: error },
    );
  }
}
