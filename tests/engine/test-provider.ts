import {
  NUMBER,
  number as numberValue,
  nullOf,
  objectOf,
  STRING,
  str,
  unknownOf,
  type Value,
} from '@terrane/cty';
import {
  type Deferred,
  type Answer,
  impliedType,
  type Provider,
  type ProviderSchema,
} from '@terrane/provider';

const SCHEMA: ProviderSchema = {
  provider: {
    version: 0,
    block: { attributes: { region: { type: STRING, optional: true } }, blocks: {} },
  },
  providerMeta: {
    version: 0,
    block: { attributes: { tag: { type: STRING, optional: true } }, blocks: {} },
  },
  resources: {
    test_thing: {
      version: 0,
      block: {
        attributes: {
          id: { type: STRING, computed: true },
          name: { type: STRING, required: true },
          size: { type: NUMBER, optional: true, computed: true },
          /** changing it asks for replacement */
          kind: { type: STRING, optional: true },
          /** names the calls that fail: "create", "update", "delete", "partial" */
          fail: { type: STRING, optional: true },
          secret: { type: STRING, optional: true, sensitive: true },
        },
        blocks: {},
      },
    },
  },
  dataSources: {
    test_lookup: {
      version: 0,
      block: {
        attributes: {
          name: { type: STRING, required: true },
          found: { type: STRING, computed: true },
        },
        blocks: {},
      },
    },
  },
  ephemeralResources: {},
  actions: {
    test_act: {
      version: 0,
      block: {
        attributes: {
          say: { type: STRING, optional: true },
          /** when it fails: "validate", "plan", "defer" or "invoke" */
          fail: { type: STRING, optional: true },
          secret: { type: STRING, optional: true, sensitive: true },
          token: { type: STRING, optional: true, writeOnly: true },
        },
        blocks: {},
      },
    },
  },
  functions: {},
  capabilities: {},
};

const THING = impliedType(SCHEMA.resources['test_thing']?.block ?? { attributes: {}, blocks: {} });
const LOOKUP = impliedType(
  SCHEMA.dataSources['test_lookup']?.block ?? { attributes: {}, blocks: {} },
);

/** One change that a provider was asked to make: where it began and ended among all of them. */
export interface ChangeCall {
  readonly action: 'create' | 'update' | 'delete';
  readonly address: string;
  /** id of the object, of a new one once it is made */
  id: string;
  readonly began: number;
  /** Infinity while it goes on */
  ended: number;
  failed: boolean;
}

/** The failure of a call: before it takes effect, or halfway. */
export type Trouble = 'refuse' | 'partial';

type Reason = Deferred['reason'];

/** The world that test providers act on, and what they were asked. */
export class TestWorld {
  /** Objects by id. */
  readonly objects: Map<string, Value> = new Map();
  readonly calls: string[] = [];
  /** The `provider_meta` values of modules by call and tag: "plan a". */
  readonly metas: string[] = [];
  readonly changes: ChangeCall[] = [];
  /** Decides which changes fail, beside those that an object's `fail` names. */
  trouble: (action: ChangeCall['action'], name: string, address: string) => Trouble | undefined =
    () => undefined;
  /** Returns the reason for which a call is deferred. */
  defer: (call: 'plan' | 'read' | 'lookup' | 'import', name: string) => Reason | undefined = () =>
    undefined;
  /** Adapts the provider to a test. */
  adapt: (provider: Provider) => Provider = (provider) => provider;
  /** Waits for the duration of a change. */
  delay: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, 1));
  #next = 1;
  #moment = 0;

  #heed(call: string, meta: Value | undefined): void {
    if (meta !== undefined) this.metas.push(`${call} ${meta.attr('tag').asString()}`);
  }

  /** A provider over this world. */
  provider(): Provider {
    return this.adapt({
      schema: () => SCHEMA,
      validateProviderConfig: () => ({}),
      validateResourceConfig: () => ({}),
      validateDataSourceConfig: () => ({}),
      configure: ({ config }) => {
        const region = config.attr('region');
        this.calls.push(
          `configure ${region.isNull ? '-' : region.isKnown ? region.asString() : '?'}`,
        );
        return {};
      },
      upgradeResourceState: ({ type, json }) => ({ state: this.#upgrade(type, json ?? '{}') }),
      readResource: ({ prior, providerMeta }) => {
        this.#heed('read', providerMeta);
        const id = prior.attr('id').asString();
        this.calls.push(`read ${nameOf(prior)}`);
        return {
          state: this.objects.get(id) ?? nullOf(THING),
          ...this.#waits('read', nameOf(prior)),
        };
      },
      planResourceChange: ({ prior, proposed, config, providerMeta }) => {
        this.#heed('plan', providerMeta);
        this.calls.push(`plan ${nameOf(proposed.isNull ? prior : proposed)}`);
        const waits = this.#waits('plan', nameOf(proposed.isNull ? prior : proposed));
        if (proposed.isNull) return { planned: proposed, requiresReplace: [], ...waits };
        let planned = proposed;
        if (prior.isNull) {
          planned = withAttributes(planned, { id: unknownOf(STRING) });
          if (config.attr('size').isNull)
            planned = withAttributes(planned, { size: unknownOf(NUMBER) });
        }
        return { planned, requiresReplace: [[{ kind: 'attr', name: 'kind' }]], ...waits };
      },
      applyResourceChange: (request) => {
        this.#heed('apply', request.providerMeta);
        return this.#apply(request);
      },
      importResourceState: ({ id = '' }) => ({ imported: [], ...this.#waits('import', id) }),
      readDataSource: ({ config, providerMeta }) => {
        this.#heed('lookup', providerMeta);
        const name = config.attr('name').asString();
        this.calls.push(`lookup ${name}`);
        const stored = [...this.objects.values()].find((candidate) => nameOf(candidate) === name);
        return {
          state: object(LOOKUP, {
            name: str(name),
            found: str(stored === undefined ? 'nothing' : name),
          }),
          ...this.#waits('lookup', name),
        };
      },
      validateActionConfig: ({ config }) => actionAnswer(config, 'validate'),
      planAction: ({ config }) => {
        this.calls.push(`plan action ${sayOf(config)}`);
        const deferred = failOf(config) === 'defer' && { deferred: { reason: 'unknown' as const } };
        return { ...actionAnswer(config, 'plan'), ...deferred };
      },
      invokeAction: async ({ config, progress }) => {
        this.calls.push(`invoke ${sayOf(config)}`);
        progress(`doing ${sayOf(config)}`);
        await this.delay();
        return actionAnswer(config, 'invoke');
      },
      stop: () => {},
      close: () => {},
    });
  }

  #waits(
    call: Parameters<TestWorld['defer']>[0],
    name: string,
  ): { readonly deferred?: { readonly reason: Reason } } {
    const reason = this.defer(call, name);
    return reason === undefined ? {} : { deferred: { reason } };
  }

  #upgrade(_type: string, json: string): Value {
    const stored = JSON.parse(json) as Record<string, string | number | null>; // as this provider wrote it
    const text = (name: string): Value => {
      const member = stored[name];
      return typeof member === 'string' ? str(member) : nullOf(STRING);
    };
    const { size } = stored;
    return object(THING, {
      id: text('id'),
      name: text('name'),
      kind: text('kind'),
      fail: text('fail'),
      secret: text('secret'),
      size: typeof size === 'number' ? numberOf(size) : nullOf(NUMBER),
    });
  }

  async #apply({ prior, planned, address = '' }: ApplyRequest): Promise<ApplyAnswer> {
    const action = planned.isNull ? 'delete' : prior.isNull ? 'create' : 'update';
    const subject = planned.isNull ? prior : planned;
    const name = nameOf(subject);
    this.calls.push(`${action} ${name}`);
    const id = prior.isNull ? '' : prior.attr('id').asString();
    const call: ChangeCall = {
      action,
      address,
      id,
      began: this.#moment++,
      ended: Infinity,
      failed: false,
    };
    this.changes.push(call);
    await this.delay();
    const fail = subject.attr('fail');
    const failing = fail.isNull ? '' : fail.asString();
    const requestedFault =
      failing === action
        ? 'refuse'
        : failing === 'partial' && action !== 'delete'
          ? 'partial'
          : undefined;
    const trouble = requestedFault ?? this.trouble(action, name, address);
    const isRefused = trouble === 'refuse' || (trouble === 'partial' && action === 'delete');
    const state = isRefused ? refused(action, prior) : this.#change(action, prior, planned);
    if (!state.isNull) call.id = state.attr('id').asString();
    call.ended = this.#moment++;
    if (trouble === undefined) return { state };
    call.failed = true;
    const diagnostics = [
      { severity: 'error' as const, summary: `Cannot ${action}`, detail: `${name} refuses.` },
    ];
    return { state, diagnostics };
  }

  #change(action: ChangeCall['action'], prior: Value, planned: Value): Value {
    if (action === 'delete') {
      this.objects.delete(prior.attr('id').asString());
      return planned;
    }
    const id = prior.isNull ? `id-${this.#next++}` : prior.attr('id').asString();
    let state = withAttributes(planned, { id: str(id) });
    if (!state.attr('size').isKnown) state = withAttributes(state, { size: numberOf(1) });
    this.objects.set(id, state);
    return state;
  }
}

interface ApplyRequest {
  readonly prior: Value;
  readonly planned: Value;
  readonly address?: string;
}

interface ApplyAnswer {
  readonly state: Value;
  readonly diagnostics?: readonly {
    readonly severity: 'error';
    readonly summary: string;
    readonly detail: string;
  }[];
}

function refused(action: ChangeCall['action'], prior: Value): Value {
  return action === 'delete' ? prior : nullOf(THING);
}

function sayOf(config: Value): string {
  if (config.isNull) return 'nothing';
  const say = config.attr('say');
  return say.isNull ? 'nothing' : say.isKnown ? say.asString() : '?';
}

function failOf(config: Value): string {
  const fail = config.isNull || !config.isKnown ? undefined : config.attr('fail');
  return fail === undefined || fail.isNull || !fail.isKnown ? '' : fail.asString();
}

function actionAnswer(config: Value, when: string): Answer {
  if (failOf(config) !== when) return {};
  const detail = `${sayOf(config)} refuses.`;
  return { diagnostics: [{ severity: 'error', summary: `Cannot ${when}`, detail }] };
}

function numberOf(n: number): Value {
  return numberValue(n);
}

function nameOf(value: Value): string {
  const name = value.attr('name');
  return name.isNull ? '' : name.isKnown ? name.asString() : '?';
}

function withAttributes(value: Value, changed: Readonly<Record<string, Value>>): Value {
  const { type } = value;
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(
    type,
    type.names.map((name) => changed[name] ?? value.attr(name)),
  );
}

function object(type: Value['type'], attributes: Readonly<Record<string, Value>>): Value {
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(
    type,
    type.names.map((name) => {
      const value = attributes[name];
      if (value === undefined) throw new Error(`no ${name}`);
      return value;
    }),
  );
}
