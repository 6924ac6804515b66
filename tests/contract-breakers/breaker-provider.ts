// A provider that keeps the contract, except where the `rule` of an object names a way to break it.
import { writeFileSync } from 'node:fs';
import {
  integer,
  list,
  mapType,
  nullOf,
  NUMBER,
  objectOf,
  objectType,
  str,
  STRING,
  type Type,
  unknownOf,
  type Value,
  valueFromJson,
} from '@terrane/cty';
import {
  type ApplyAnswer,
  type ApplyResourceRequest,
  impliedType,
  type OpenAnswer,
  type PlanAnswer,
  type PlanResourceRequest,
  type Provider,
  type ProviderSchema,
  type ReadAnswer,
  type ReadDataAnswer,
} from '@terrane/provider';
import {
  action,
  dataSource,
  defineProvider,
  ephemeralResource,
  listBlock,
  map as mapOf,
  number,
  providerFunction,
  resource,
  singleNested,
  string,
} from '@terrane/provider/sdk';

/** Functions that change the responses of a correct provider. */
interface Breakage {
  readonly plan?: (answer: PlanAnswer, request: PlanResourceRequest) => PlanAnswer;
  readonly apply?: (
    answer: ApplyAnswer,
    request: ApplyResourceRequest,
  ) => ApplyAnswer | Promise<ApplyAnswer>;
  readonly destroy?: (answer: ApplyAnswer, request: ApplyResourceRequest) => ApplyAnswer;
  readonly read?: (answer: ReadAnswer) => ReadAnswer;
  readonly data?: (answer: ReadDataAnswer) => ReadDataAnswer;
  readonly open?: (answer: OpenAnswer) => OpenAnswer;
}

const PART = objectType({ label: STRING, code: STRING });
const BOX = objectType({ width: NUMBER, made: STRING });

/** The object with some attributes replaced. */
function edit(value: Value, changes: Readonly<Record<string, Value>>): Value {
  if (value.type.kind !== 'object') throw new Error('not an object');
  const { type } = value;
  const values = [...value.elements()];
  for (const [name, part] of Object.entries(changes)) values[type.indexOf(name) ?? -1] = part;
  return objectOf(type, values);
}

/** The object with attributes of other types than the schema has. */
function retype(value: Value, changes: Readonly<Record<string, Value>>): Value {
  const parts = Object.fromEntries(
    value.entries().map(([key, part]) => [key.asString(), part] as const),
  );
  const changed = { ...parts, ...changes };
  const types: Record<string, Type> = {};
  for (const [name, part] of Object.entries(changed)) types[name] = part.type;
  const type = objectType(types);
  return objectOf(
    type,
    Object.keys(types)
      .sort()
      .map((name) => changed[name] ?? nullOf(STRING)),
  );
}

const other = str('other');
const plans = (changes: (planned: Value) => Readonly<Record<string, Value>>): Breakage => ({
  plan: (answer) => ({ ...answer, planned: edit(answer.planned, changes(answer.planned)) }),
});
const applies = (changes: (state: Value) => Readonly<Record<string, Value>>): Breakage => ({
  apply: (answer) => ({ ...answer, state: edit(answer.state, changes(answer.state)) }),
});
const anotherPart = (): Value =>
  list(PART, [objectOf(PART, [str('c1'), str('one')]), objectOf(PART, [str('c2'), str('two')])]);

/** Rules that break nothing: what takes its time. */
export const SLOW = 'slow';

/** By the name that an object's `rule` has. */
export const BREAKAGES: Readonly<Record<string, Breakage>> = {
  'plan: configured value changed': plans(() => ({ name: other })),
  'plan: configured value unknown': plans(() => ({ name: unknownOf(STRING) })),
  'plan: configured value null': plans(() => ({ name: nullOf(STRING) })),
  'plan: value of an argument that is not computed': plans(() => ({ note: other })),
  'plan: map element added': plans((planned) => ({
    tags: planned.attr('tags').isNull
      ? planned.attr('tags')
      : edited(planned.attr('tags'), 'extra', other),
  })),
  'plan: block count changed': plans(() => ({ part: anotherPart() })),
  'plan: block removed': plans(() => ({ part: list(PART, []) })),
  'plan: block argument changed': plans(() => ({
    part: list(PART, [objectOf(PART, [unknownOf(STRING), other])]),
  })),
  'plan: nested attribute changed': plans(() => ({
    box: objectOf(BOX, [unknownOf(STRING), integer(99)]),
  })),
  'plan: nested attribute null': plans(() => ({ box: nullOf(BOX) })),
  'plan: null instead of an object': {
    plan: (answer) => ({ ...answer, planned: nullOf(answer.planned.type) }),
  },
  'plan: wrong type': {
    plan: (answer) => ({ ...answer, planned: retype(answer.planned, { name: integer(1) }) }),
  },
  'plan: replacement because of nothing that exists': {
    plan: (answer) => ({
      ...answer,
      requiresReplace: [[{ kind: 'attr', name: 'colour' }]],
    }),
  },
  'plan: prior value of an argument that is not written': {
    plan: (answer, { prior }) =>
      prior.isNull ? answer : { ...answer, planned: edit(answer.planned, { note: other }) },
  },
  'plan: the second plan differs': {
    plan: (answer, { config }) =>
      config.attr('late').isKnown
        ? { ...answer, planned: edit(answer.planned, { size: integer(2) }) }
        : { ...answer, planned: edit(answer.planned, { size: integer(1) }) },
  },
  'plan: the second plan is unknown again': {
    plan: (answer, { config }) =>
      config.attr('late').isKnown
        ? { ...answer, planned: edit(answer.planned, { size: unknownOf(NUMBER) }) }
        : { ...answer, planned: edit(answer.planned, { size: integer(1) }) },
  },
  'plan: throws': {
    plan: () => {
      throw new Error('the planner is ill');
    },
  },
  'apply: planned value changed': applies(() => ({ name: other })),
  'apply: planned value null': applies(() => ({ name: nullOf(STRING) })),
  'apply: unknown value left': applies(() => ({ token: unknownOf(STRING) })),
  'apply: unknown value left in a block': applies(() => ({
    part: list(PART, [objectOf(PART, [unknownOf(STRING), str('one')])]),
  })),
  'apply: block count changed': applies(() => ({ part: anotherPart() })),
  'apply: block removed': applies(() => ({ part: list(PART, []) })),
  'apply: nested attribute changed': applies(() => ({
    box: objectOf(BOX, [str('here'), integer(99)]),
  })),
  'apply: map element removed': applies(() => ({ tags: nullOf(mapType(STRING)) })),
  'apply: null instead of an object': {
    apply: (answer) => ({ ...answer, state: nullOf(answer.state.type) }),
  },
  'apply: wrong type': {
    apply: (answer) => ({ ...answer, state: retype(answer.state, { name: integer(1) }) }),
  },
  'apply: attribute missing': {
    apply: (answer) => ({ ...answer, state: without(answer.state, 'token') }),
  },
  'apply: unsupported attribute': {
    apply: (answer) => ({ ...answer, state: retype(answer.state, { colour: str('red') }) }),
  },
  'apply: write-only value returned': applies(() => ({ secret: str('s3cret') })),
  'apply: throws': {
    apply: () => {
      throw new Error('the applier is ill');
    },
  },
  'apply: fails with a part of the object': {
    apply: (answer) => ({
      ...answer,
      state: edit(answer.state, { token: unknownOf(STRING), size: nullOf(NUMBER) }),
      diagnostics: [{ severity: 'error', summary: 'Half done', detail: 'It is only half there.' }],
    }),
  },
  'apply: fails without an object': {
    apply: (answer) => ({
      ...answer,
      state: nullOf(answer.state.type),
      diagnostics: [{ severity: 'error', summary: 'Not done', detail: 'It is not there.' }],
    }),
  },
  'destroy: object returned': {
    destroy: (answer, { prior }) => ({ ...answer, state: prior }),
  },
  'destroy: throws': {
    destroy: () => {
      throw new Error('the destroyer is ill');
    },
  },
  'read: unknown value': {
    read: (answer) => ({ ...answer, state: edit(answer.state, { token: unknownOf(STRING) }) }),
  },
  'read: wrong type': {
    read: (answer) => ({ ...answer, state: retype(answer.state, { size: list(STRING, []) }) }),
  },
  'read: write-only value returned': {
    read: (answer) => ({ ...answer, state: edit(answer.state, { secret: str('s3cret') }) }),
  },
  'read: throws': {
    read: () => {
      throw new Error('the reader is ill');
    },
  },
  'data: unknown value': {
    data: (answer) => ({ ...answer, state: edit(answer.state, { token: unknownOf(STRING) }) }),
  },
  'data: null instead of an object': {
    data: (answer) => ({ ...answer, state: nullOf(answer.state.type) }),
  },
  'data: configured value changed': {
    data: (answer) => ({ ...answer, state: edit(answer.state, { name: other }) }),
  },
  'data: wrong type': {
    data: (answer) => ({ ...answer, state: retype(answer.state, { token: list(STRING, []) }) }),
  },
  'data: throws': {
    data: () => {
      throw new Error('the data reader is ill');
    },
  },
  'open: unknown value': {
    open: (answer) => ({ ...answer, result: edit(answer.result, { token: unknownOf(STRING) }) }),
  },
  'open: null instead of an object': {
    open: (answer) => ({ ...answer, result: nullOf(answer.result.type) }),
  },
  'open: configured value changed': {
    open: (answer) => ({ ...answer, result: edit(answer.result, { name: other }) }),
  },
  'open: throws': {
    open: () => {
      throw new Error('the opener is ill');
    },
  },
};

function edited(map: Value, key: string, value: Value): Value {
  const entries = map.entries().map(([k, v]) => [k.asString(), v] as const);
  return map.withParts(
    new Map([...entries, [key, value] as const].sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

function without(value: Value, name: string): Value {
  const entries = value.entries().filter(([key]) => key.asString() !== name);
  const type = objectType(
    Object.fromEntries(entries.map(([key, part]) => [key.asString(), part.type])),
  );
  return objectOf(
    type,
    entries.map(([, part]) => part),
  );
}

const ATTRIBUTES = {
  rule: string({ optional: true }),
  name: string({ optional: true }),
  note: string({ optional: true }),
  late: string({ optional: true }),
  kind: string({ optional: true, requiresReplace: true }),
  secret: string({ optional: true, writeOnly: true }),
  size: number({ optional: true, computed: true }),
  tags: mapOf(string, { optional: true }),
  id: string({ computed: true, useStateForUnknown: true }),
  token: string({ computed: true, useStateForUnknown: true }),
  box: singleNested(
    { width: number({ optional: true }), made: string({ computed: true }) },
    { optional: true },
  ),
};

const BLOCKS = {
  part: listBlock({ label: string({ optional: true }), code: string({ computed: true }) }),
};

let made = 0;

/** The object with everything known. */
function finished(planned: Value): Value {
  const id = planned.attr('id');
  const known = (name: string, value: Value): Value =>
    planned.attr(name).isKnown ? planned.attr(name) : value;
  const part = planned.attr('part');
  const box = planned.attr('box');
  return edit(planned, {
    id: id.isKnown && !id.isNull ? id : str(`t${++made}`),
    token: known('token', str('token')),
    size: known('size', integer(7)),
    part: list(
      PART,
      part.elements().map((each) => objectOf(PART, [str('code'), each.attr('label')])),
    ),
    box: box.isNull ? box : objectOf(BOX, [str('here'), box.attr('width')]),
  });
}

/** The provider. */
export function breakerProvider(): Provider {
  const simple = {
    rule: string({ optional: true }),
    name: string({ optional: true }),
    token: string({ computed: true }),
  };
  const thing = resource({
    attributes: ATTRIBUTES,
    blocks: BLOCKS,
    create: () => {
      throw new Error('what is applied is made below');
    },
    import: ({ id = '' }) => ({ id, token: 'token', size: 7, part: [] }),
  });
  const data = dataSource({
    attributes: simple,
    read: ({ config }) => ({ ...config, token: 'token' }),
  });
  const ephemeral = ephemeralResource({
    attributes: simple,
    open: ({ config, renewAt }) => {
      renewAt(new Date(Date.now() + 1000));
      return { ...config, token: 'token' };
    },
    renew: () => undefined,
  });
  const base = defineProvider({
    config: { attributes: { endpoint: string({ optional: true }) } },
    resources: { breaker_thing: thing, breaker_fragile: thing },
    dataSources: { breaker_data: data, breaker_fragile: data },
    ephemeralResources: { breaker_open: ephemeral, breaker_fragile: ephemeral },
    actions: {
      breaker_fragile: action({
        attributes: { name: string({ optional: true }) },
        invoke: () => undefined,
      }),
    },
    functions: {
      fragile: providerFunction({
        parameters: { text: string },
        returns: string,
        call: ({ text }) => text,
      }),
    },
  });
  let schema: Promise<ProviderSchema> | undefined;
  const typeOf = async (kind: 'resources' | 'dataSources', type: string): Promise<Type> => {
    schema ??= Promise.resolve(base.schema());
    const typeSchema = (await schema)[kind][type];
    if (typeSchema === undefined) throw new Error(`no ${type}`);
    return impliedType(typeSchema.block);
  };
  const changes: Partial<Provider> = {
    async planResourceChange(request) {
      const answer = await base.planResourceChange(request);
      if (request.proposed.isNull) return answer;
      return breakageOf(request.config)?.plan?.(answer, request) ?? answer;
    },
    async applyResourceChange(request) {
      const type = await typeOf('resources', request.type);
      if (request.planned.isNull) {
        const answer = { state: nullOf(type) };
        return breakageOf(request.prior)?.destroy?.(answer, request) ?? answer;
      }
      const answer = { state: finished(request.planned) };
      const rule = request.config.attr('rule');
      if (!rule.isNull && rule.asString() === SLOW) await slowly(request.signal);
      return (await breakageOf(request.config)?.apply?.(answer, request)) ?? answer;
    },
    async schema() {
      const baseSchema = await base.schema();
      return {
        ...baseSchema,
        capabilities: { ...baseSchema.capabilities, moveResourceState: true },
      };
    },
    async moveResourceState({ sourceJson, targetType }) {
      const type = await typeOf('resources', targetType);
      return { state: valueFromJson(sourceJson, type) };
    },
    readResource(request) {
      const answer = { state: request.prior };
      return breakageOf(request.prior)?.read?.(answer) ?? answer;
    },
    async readDataSource(request) {
      const answer = await base.readDataSource(request);
      return breakageOf(request.config)?.data?.(answer) ?? answer;
    },
    async openEphemeralResource(request) {
      const answer = await base.openEphemeralResource?.(request);
      if (answer === undefined) throw new Error('not opened');
      return breakageOf(request.config)?.open?.(answer) ?? answer;
    },
  };
  return new Proxy(base, {
    get(target, name: keyof Provider) {
      const changed = changes[name];
      if (changed !== undefined) return changed;
      const member = target[name];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** Calls that come while another one is under way. */
const CALLS_BESIDE: readonly (string | undefined)[] = ['RenewEphemeralResource', 'StopProvider'];

/**
 * Three seconds, or until the request is cancelled; as long as a busy machine may need where another call is to come
 * meanwhile. A file tells the test that the request has arrived. */
function slowly(signal: AbortSignal | undefined): Promise<void> {
  const marker = process.env['BREAK_MARKER'];
  if (marker !== undefined) writeFileSync(`${marker}.slow`, '');
  return new Promise((done) => {
    const isAwaited = CALLS_BESIDE.includes(process.env['BREAK_CALL']);
    const timer = setTimeout(done, isAwaited ? 60_000 : 3000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}

function breakageOf(object: Value): Breakage | undefined {
  const rule = object.attr('rule');
  return rule.isKnown && !rule.isNull ? BREAKAGES[rule.asString()] : undefined;
}
