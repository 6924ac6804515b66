import {
  NUMBER,
  nullOf,
  number,
  objectOf,
  STRING,
  str,
  unknownOf,
  type ObjectType,
  type Value,
} from '@terrane/cty';
import {
  type ApplyAnswer,
  type ApplyResourceRequest,
  impliedType,
  type PlanAnswer,
  type PlanResourceRequest,
  type Provider,
  type ProviderDiagnostic,
  type ProviderSchema,
  type Schema,
} from '@terrane/provider';

/** Full address of the provider whose objects are in a {@link CrashWorld}. */
export const CRASH_PROVIDER = 'registry.terraform.io/hashicorp/crash';

/**
 * The types of objects, by what is known of one before it is created: nothing (`crash_thing`), its id
 * (`crash_named`), or its identity (`crash_keyed`).
 */
export type CrashType = 'crash_thing' | 'crash_named' | 'crash_keyed';

const TYPES: readonly CrashType[] = ['crash_thing', 'crash_named', 'crash_keyed'];

const RESOURCE: Schema = {
  version: 0,
  block: {
    attributes: {
      id: { type: STRING, computed: true },
      name: { type: STRING, required: true },
      /** another one needs another object */
      kind: { type: STRING, optional: true },
      size: { type: NUMBER, optional: true },
      secret: { type: STRING, optional: true, sensitive: true },
      /** what is known once it exists */
      made: { type: STRING, computed: true },
    },
    blocks: {},
  },
};

const IDENTITY: Schema = {
  version: 0,
  block: { attributes: { key: { type: STRING, required: true } }, blocks: {} },
};

const NOTHING: Schema = { version: 0, block: { attributes: {}, blocks: {} } };

const SCHEMA: ProviderSchema = {
  provider: NOTHING,
  resources: Object.fromEntries(TYPES.map((type) => [type, RESOURCE])),
  identities: { crash_keyed: IDENTITY },
  dataSources: {},
  ephemeralResources: {},
  actions: {},
  functions: {},
  capabilities: {},
};

const OBJECT: ObjectType = objectTypeOf(RESOURCE);
const KEY: ObjectType = objectTypeOf(IDENTITY);

function objectTypeOf(schema: Schema): ObjectType {
  const type = impliedType(schema.block);
  if (type.kind !== 'object') throw new Error('a schema implies an object');
  return type;
}

/** An object that really exists. */
export interface CrashObject {
  readonly id: string;
  readonly type: string;
  readonly address: string;
  readonly name: string;
  readonly kind: string | null;
  readonly size: number | null;
  readonly secret: string | null;
}

/** Called before a provider call and after it takes effect; a run may be ended there. */
export type CallMoment = (moment: 'before' | 'after', call: string) => void;

/** The stored objects by id. */
export type CrashObjects = Pick<
  Map<string, CrashObject>,
  'get' | 'set' | 'delete' | 'values' | 'size'
>;

/** The real objects, independent of states, and the provider that changes them. */
export class CrashWorld {
  readonly objects: CrashObjects;
  /** The effects, in order: `create crash_thing.a id-1`. */
  readonly log: string[] = [];
  /** Names of objects whose next creation fails: at once, or when the object is already there. */
  readonly failing: Map<string, 'refuse' | 'partial'> = new Map();
  /** Names of objects that can't be deleted. */
  readonly stuck: Set<string> = new Set();
  /** Delays a change before it takes effect, so that other changes begin and end. */
  pause: () => Promise<void> = async () => {
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
  };
  /** Names a new object. */
  newId: () => string = () => `id-${this.#next++}`;
  #next = 1;

  constructor(objects: CrashObjects = new Map<string, CrashObject>()) {
    this.objects = objects;
  }

  /** The same, to go on with on its own. */
  copy(): CrashWorld {
    const copy = new CrashWorld();
    for (const object of this.objects.values()) copy.objects.set(object.id, object);
    for (const [name, how] of this.failing) copy.failing.set(name, how);
    for (const name of this.stuck) copy.stuck.add(name);
    copy.log.push(...this.log);
    copy.#next = this.#next;
    return copy;
  }

  /** A provider of one run. */
  provider(moment: CallMoment): Provider {
    return {
      schema: () => SCHEMA,
      validateProviderConfig: () => ({}),
      validateResourceConfig: () => ({}),
      validateDataSourceConfig: () => ({}),
      configure: () => ({}),
      upgradeResourceState: ({ json }) => ({ state: valueOf(JSON.parse(json ?? '{}')) }),
      readResource: ({ type, prior }) => {
        const id = prior.attr('id');
        const stored = id.isNull ? undefined : this.objects.get(id.asString());
        return stored === undefined
          ? { state: nullOf(OBJECT) }
          : { state: valueOf(stored), ...identityOf(type, stored) };
      },
      planResourceChange: (request) => planned(request),
      applyResourceChange: async (request) => {
        const action = actionOf(request);
        const call = `${action} ${request.address ?? ''}`;
        moment('before', call);
        await this.pause();
        const answer = this.#change(action, request);
        moment('after', call);
        await this.pause();
        return answer;
      },
      importResourceState: ({ type, id, identity }) => {
        const key = identity === undefined ? id : identity.attr('key').asString();
        const stored = [...this.objects.values()].find(
          (candidate) =>
            candidate.type === type && (candidate.id === key || keyOf(candidate) === key),
        );
        if (stored === undefined) {
          const diagnostics = [
            { severity: 'error', summary: 'Not found', detail: `No ${type} ${key}.` },
          ] satisfies ProviderDiagnostic[];
          return { imported: [], diagnostics };
        }
        return { imported: [{ type, state: valueOf(stored), ...identityOf(type, stored) }] };
      },
      readDataSource: () => {
        throw new Error('there are no data sources');
      },
      stop: () => {},
      close: () => {},
    };
  }

  #change(
    action: Action,
    { type, prior, planned: wanted, address = '' }: ApplyResourceRequest,
  ): ApplyAnswer {
    const name = (action === 'delete' ? prior : wanted).attr('name').asString();
    const id = prior.isNull ? '' : prior.attr('id').asString();
    if (action === 'delete') {
      if (this.stuck.has(name)) return { state: prior, diagnostics: [refusal(action, name)] };
      this.objects.delete(id);
      this.log.push(`delete ${address} ${id}`);
      return { state: nullOf(OBJECT) };
    }
    const trouble = action === 'create' ? this.failing.get(name) : undefined;
    this.failing.delete(name);
    if (trouble === 'refuse') return { state: prior, diagnostics: [refusal(action, name)] };
    const object = this.#made(type, wanted, address, id);
    // Like a real service, the world has one object of a name.
    if (action === 'create' && this.objects.get(object.id) !== undefined)
      return { state: prior, diagnostics: [alreadyExists(object.id)] };
    this.objects.set(object.id, object);
    this.log.push(`${action} ${address} ${object.id}`);
    return {
      state: valueOf(object),
      ...identityOf(type, object),
      ...(trouble === undefined ? {} : { diagnostics: [refusal(action, name)] }),
    };
  }

  #made(type: string, wanted: Value, address: string, id: string): CrashObject {
    const name = wanted.attr('name').asString();
    const kind = textOf(wanted, 'kind');
    const size = wanted.attr('size');
    const generatedId = type === 'crash_named' ? `${name}-${kind}` : this.newId();
    return {
      id: id === '' ? generatedId : id,
      type,
      // A plugin is not told addresses.
      address: address === '' ? `${type}.${name}` : address,
      name,
      kind,
      size: size.isNull ? null : size.asInt(),
      secret: textOf(wanted, 'secret'),
    };
  }
}

type Action = 'create' | 'update' | 'delete';

function actionOf({ prior, planned: wanted }: ApplyResourceRequest): Action {
  return wanted.isNull ? 'delete' : prior.isNull ? 'create' : 'update';
}

function refusal(action: Action, name: string): ProviderDiagnostic {
  return { severity: 'error', summary: `Cannot ${action}`, detail: `${name} refuses.` };
}

/** Summary of the error for a creation whose name is taken. */
export const ALREADY_EXISTS = 'Already exists';

function alreadyExists(id: string): ProviderDiagnostic {
  return { severity: 'error', summary: ALREADY_EXISTS, detail: `There is an object ${id}.` };
}

function textOf(value: Value, name: string): string | null {
  const attribute = value.attr(name);
  return attribute.isNull || !attribute.isKnown ? null : attribute.asString();
}

function keyOf({ name, kind }: Pick<CrashObject, 'name' | 'kind'>): string {
  return `${name}-${kind}`;
}

function identityOf(type: string, object: CrashObject): { readonly identity?: Value } {
  return type === 'crash_keyed' ? { identity: objectOf(KEY, [str(keyOf(object))]) } : {};
}

function planned({ type, prior, proposed }: PlanResourceRequest): PlanAnswer {
  const requiresReplace = [[{ kind: 'attr', name: 'kind' } as const]];
  if (proposed.isNull || !prior.isNull) {
    const key = proposed.isNull ? prior : proposed;
    const identity = type === 'crash_keyed' ? { identity: keyValue(key) } : {};
    return { planned: proposed, requiresReplace, ...identity };
  }
  const name = textOf(proposed, 'name');
  const kind = textOf(proposed, 'kind');
  const id = type === 'crash_named' ? str(`${name}-${kind}`) : unknownOf(STRING);
  return {
    planned: withAttributes(proposed, { id, made: unknownOf(STRING) }),
    requiresReplace,
    ...(type === 'crash_keyed' ? { identity: keyValue(proposed) } : {}),
  };
}

function keyValue(object: Value): Value {
  return objectOf(KEY, [str(`${textOf(object, 'name')}-${textOf(object, 'kind')}`)]);
}

function withAttributes(value: Value, changed: Readonly<Record<string, Value>>): Value {
  return objectOf(
    OBJECT,
    OBJECT.names.map((name) => changed[name] ?? value.attr(name)),
  );
}

/** Returns a stored object, or a new one, as a value. */
function valueOf(parts: Partial<Record<string, string | number | null>> | CrashObject): Value {
  const from: Partial<Record<string, string | number | null>> = { ...parts };
  return objectOf(
    OBJECT,
    OBJECT.names.map((name) => {
      const part = name === 'made' ? (from['made'] ?? from['id']) : from[name];
      const type = name === 'size' ? NUMBER : STRING;
      if (part === undefined || part === null) return nullOf(type);
      return typeof part === 'number' ? number(part) : str(part);
    }),
  );
}
