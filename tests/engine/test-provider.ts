import { NUMBER, number as numberValue, nullOf, objectOf, STRING, str, unknownOf, type Value } from '@terrane/cty';
import { impliedType, type Provider, type ProviderSchema } from '@terrane/provider';

const SCHEMA: ProviderSchema = {
  provider: { version: 0, block: { attributes: { region: { type: STRING, optional: true } }, blocks: {} } },
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
  functions: {},
  capabilities: {},
};

const THING = impliedType(SCHEMA.resources['test_thing']?.block ?? { attributes: {}, blocks: {} });
const LOOKUP = impliedType(SCHEMA.dataSources['test_lookup']?.block ?? { attributes: {}, blocks: {} });

/** The world that test providers act on, and what they were asked. */
export class TestWorld {
  /** Objects by id. */
  readonly objects: Map<string, Value> = new Map();
  readonly calls: string[] = [];
  #next = 1;

  /** A provider over this world. */
  provider(): Provider {
    return {
      schema: () => SCHEMA,
      validateProviderConfig: () => ({}),
      validateResourceConfig: () => ({}),
      validateDataSourceConfig: () => ({}),
      configure: ({ config }) => {
        const region = config.attr('region');
        this.calls.push(`configure ${region.isNull ? '-' : region.isKnown ? region.asString() : '?'}`);
        return {};
      },
      upgradeResourceState: ({ type, json }) => ({ state: this.#upgrade(type, json ?? '{}') }),
      readResource: ({ prior }) => {
        const id = prior.attr('id').asString();
        this.calls.push(`read ${nameOf(prior)}`);
        return { state: this.objects.get(id) ?? nullOf(THING) };
      },
      planResourceChange: ({ prior, proposed, config }) => {
        this.calls.push(`plan ${nameOf(proposed.isNull ? prior : proposed)}`);
        if (proposed.isNull) return { planned: proposed, requiresReplace: [] };
        let planned = proposed;
        if (prior.isNull) {
          planned = withAttributes(planned, { id: unknownOf(STRING) });
          if (config.attr('size').isNull) planned = withAttributes(planned, { size: unknownOf(NUMBER) });
        }
        return { planned, requiresReplace: [[{ kind: 'attr', name: 'kind' }]] };
      },
      applyResourceChange: (request) => this.#apply(request),
      importResourceState: () => ({ imported: [] }),
      readDataSource: ({ config }) => {
        const name = config.attr('name').asString();
        this.calls.push(`lookup ${name}`);
        const found = [...this.objects.values()].find((one) => nameOf(one) === name);
        return { state: object(LOOKUP, { name: str(name), found: str(found === undefined ? 'nothing' : name) }) };
      },
      stop: () => {},
      close: () => {},
    };
  }

  #upgrade(_type: string, json: string): Value {
    const stored = JSON.parse(json) as Record<string, string | number | null>; // as this provider wrote it
    const text = (name: string): Value => {
      const one = stored[name];
      return typeof one === 'string' ? str(one) : nullOf(STRING);
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

  async #apply({ prior, planned }: { prior: Value; planned: Value }): Promise<{
    state: Value;
    diagnostics?: { severity: 'error'; summary: string; detail: string }[];
  }> {
    const action = planned.isNull ? 'delete' : prior.isNull ? 'create' : 'update';
    const subject = planned.isNull ? prior : planned;
    this.calls.push(`${action} ${nameOf(subject)}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    const fail = subject.attr('fail');
    const failing = fail.isNull ? '' : fail.asString();
    const trouble = [{ severity: 'error' as const, summary: `Cannot ${action}`, detail: `${nameOf(subject)} refuses.` }];
    if (failing === action) return { state: action === 'delete' ? prior : nullOf(THING), diagnostics: trouble };
    if (planned.isNull) {
      this.objects.delete(prior.attr('id').asString());
      return { state: planned };
    }
    const id = prior.isNull ? `id-${this.#next++}` : prior.attr('id').asString();
    let state = withAttributes(planned, { id: str(id) });
    if (!state.attr('size').isKnown) state = withAttributes(state, { size: numberOf(1) });
    this.objects.set(id, state);
    if (failing === 'partial') return { state, diagnostics: trouble };
    return { state };
  }
}

function numberOf(n: number): Value {
  return numberValue(n);
}

function nameOf(value: Value): string {
  const name = value.attr('name');
  return name.isKnown ? name.asString() : '?';
}

function withAttributes(value: Value, changed: Readonly<Record<string, Value>>): Value {
  const { type } = value;
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(type, type.names.map((name) => changed[name] ?? value.attr(name)));
}

function object(type: Value['type'], attributes: Readonly<Record<string, Value>>): Value {
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(type, type.names.map((name) => {
    const value = attributes[name];
    if (value === undefined) throw new Error(`no ${name}`);
    return value;
  }));
}
