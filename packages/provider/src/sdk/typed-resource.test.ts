import {
  attrStep,
  list as listOf,
  nullOf,
  number,
  object,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { isPromise } from '../awaitable.ts';
import { enforceContract } from '../enforce/enforce-contract.ts';
import type { CheckedProvider } from '../enforce/enforce-contract.ts';
import { ResourceLife } from '../testing/index.ts';
import type { Written } from '../testing/index.ts';
import {
  bigInt64,
  decimal,
  defineProvider,
  deferred,
  gone,
  ifKnown,
  int64,
  isUnknown,
  list,
  listBlock,
  listNested,
  map,
  meaning,
  moveFrom,
  number as numberOf,
  object as objectWith,
  nullable,
  privateData,
  ProviderError,
  resource,
  sameIgnoringCase,
  sameJson,
  set,
  singleNested,
  string,
  timeouts,
  unknown,
  upgradeFrom,
} from './index.ts';
import type { Resource } from './index.ts';

const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

function providerOf(thing: Resource): CheckedProvider {
  return enforceContract(defineProvider({ resources: { x_thing: thing } }), 'example.com/x/x');
}

const life = (thing: Resource) => ResourceLife.of(providerOf(thing), 'x_thing');

/** Plans from a prior object, or from null for a new one. */
async function planOf(thing: Resource, prior: Value | null, config: Value, proposed = config) {
  const provider = providerOf(thing);
  const schema = await provider.schema();
  expect(Object.keys(schema.resources)).toEqual(['x_thing']);
  return provider.planResourceChange({
    type: 'x_thing',
    prior: prior ?? nullOf(config.type),
    proposed,
    config,
    capabilities,
  });
}

describe('values', () => {
  test('keep their digits, regardless of handlers', async () => {
    const seen: unknown[] = [];
    const thing = await life(
      resource({
        attributes: {
          tenth: numberOf({ optional: true }),
          large: bigInt64({ optional: true }),
          precise: decimal({ optional: true }),
          list: list(decimal, { optional: true }),
          id: string({ computed: true }),
        },
        create: ({ plan }) => {
          seen.push(plan.tenth, plan.large, plan.precise, plan.list);
          return { ...plan, id: 'x' };
        },
        read: ({ state }) => ({ ...state, tenth: 0.1, large: state.large ?? 0n }),
      }),
    );
    const written = JSON.parse('{"tenth":0.1}') as Written;
    const { state } = await thing.apply({
      ...written,
      large: '9223372036854775807',
      precise: '12345678901234567890.123456789',
      list: ['0.10'],
    });
    expect(seen).toEqual([0.1, 9223372036854775807n, '12345678901234567890.123456789', ['0.1']]);
    expect(state).toMatchObject({ tenth: 0.1, id: 'x' });
    expect((await thing.refresh()).state).toEqual(state);
  });

  test('that JavaScript numbers cannot represent are rejected, with the path', async () => {
    const thing = await life(
      resource({
        attributes: { n: list(int64, { required: true }) },
        create: ({ plan }) => plan,
      }),
    );
    const { diagnostics } = await thing.apply({ n: ['1', '9007199254740993'] });
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        summary: 'Value Conversion Error',
        detail:
          'While creating x_thing, the provider met a value that does not fit its own schema: n[1]: the number is too large for a JavaScript number; the schema has to take it as bigInt64 or decimal: 9007199254740993.\n\nThis is always an issue in the provider and should be reported to its developers.',
      },
    ]);
  });

  test('are frozen, and sets are accepted in any order', async () => {
    const thing = await life(
      resource({
        attributes: {
          tags: set(string, { required: true }),
          labels: map(string, { required: true }),
        },
        create: ({ plan }) => {
          expect(() => (plan.tags as string[]).push('x')).toThrow(TypeError);
          return { tags: plan.tags.toReversed(), labels: { ...plan.labels } };
        },
      }),
    );
    const step = await thing.apply({ tags: ['b', 'a'], labels: { __proto__: 'x' } });
    expect(step).toEqual({ action: 'create', state: { tags: ['a', 'b'], labels: {} } });
  });

  test('that are null although not allowed are rejected before any operation', async () => {
    const attributes = {
      strict: list(string, { optional: true }),
      free: list(nullable(string), { optional: true }),
    };
    const thing = await life(resource({ attributes, create: ({ plan }) => plan }));
    expect((await thing.apply({ free: ['a', null] })).state).toEqual({
      strict: null,
      free: ['a', null],
    });
    expect((await thing.apply({ strict: ['a', null] })).diagnostics).toEqual([
      {
        severity: 'error',
        summary: 'Invalid Attribute Value',
        detail: 'Attribute strict[1] must not be null.',
      },
    ]);
  });
});

describe('answers of handlers', () => {
  const attributes = { name: string({ required: true }), id: string({ computed: true }) };

  test('of the wrong form are errors of the provider, and the created object is kept', async () => {
    const wrong = { name: 'a', id: 5 } as unknown as { name: string; id: string };
    const thing = await life(resource({ attributes, create: () => wrong }));
    const { state, diagnostics } = await thing.apply({ name: 'a' });
    expect(state).toEqual({ name: 'a', id: null });
    expect(diagnostics?.[0]?.detail).toContain('id: expected a string, got a number: 5.');
    const more = { name: 'a', id: 'x', nmae: 1 } as { name: string; id: string };
    const other = await life(resource({ attributes, create: () => more }));
    expect((await other.apply({ name: 'a' })).diagnostics?.[0]?.detail).toContain(
      'there is no attribute "nmae" in the schema',
    );
  });

  test('untyped answers are checked against the schema, and errors name path, expected and actual type', async () => {
    const schema = {
      name: string({ required: true }),
      port: int64({ computed: true }),
      tags: map(string, { computed: true }),
      disks: listNested({ size: int64({ required: true }) }, { computed: true }),
      address: objectWith({ host: string }, { computed: true, nullable: true }),
    };
    const correct = { name: 'a', port: 80, tags: {}, disks: [{ size: 1 }], address: null };
    const answer = async (json: unknown): Promise<string> => {
      const thing = await life(resource({ attributes: schema, create: () => json }));
      return (await thing.apply({ name: 'a' })).diagnostics?.[0]?.detail ?? 'no error';
    };
    expect(await answer(correct)).toBe('no error');
    const cases: readonly (readonly [unknown, string])[] = [
      [null, 'the object: expected an object, got null.'],
      [undefined, 'the object: expected an object, got undefined.'],
      [[correct], 'the object: expected an object, got an array.'],
      [{ ...correct, port: '80' }, 'port: expected a number, got a string: "80".'],
      [{ ...correct, port: undefined }, 'port: no value was given for it.'],
      [{ ...correct, tags: { a: 1 } }, 'tags["a"]: expected a string, got a number: 1.'],
      [{ ...correct, tags: { a: null } }, 'tags["a"]: elements must not be null.'],
      [{ ...correct, tags: [] }, 'tags: expected an object, got an array.'],
      [
        { ...correct, disks: [{ size: true }] },
        'disks[0].size: expected a number, got a boolean: true.',
      ],
      [{ ...correct, disks: { size: 1 } }, 'disks: expected an array, got an object.'],
      [
        { ...correct, disks: [{ sise: 1 }] },
        'disks[0]: there is no attribute "sise" in the schema.',
      ],
      [{ ...correct, address: { host: 5 } }, 'address.host: expected a string, got a number: 5.'],
      [{ ...correct, extra: 1 }, 'there is no attribute "extra" in the schema.'],
      [
        { ...correct, port: 'x'.repeat(100) },
        `port: expected a number, got a string: "${'x'.repeat(40)}…".`,
      ],
    ];
    for (const [json, message] of cases) expect(await answer(json)).toContain(message);
  });

  test('errors about untyped answers contain no sensitive values', async () => {
    const schema = {
      name: string({ required: true }),
      token: int64({ computed: true, sensitive: true }),
      amount: decimal({ computed: true, sensitive: true }),
      secrets: map(string, { computed: true, sensitive: true }),
      disks: listNested({ key: int64({ computed: true, sensitive: true }) }, { computed: true }),
      vault: singleNested(
        { pin: int64({ computed: true }) },
        { computed: true, nullable: true, sensitive: true },
      ),
    };
    const correct = {
      name: 'a',
      token: 1,
      amount: '1',
      secrets: {},
      disks: [{ key: 1 }],
      vault: null,
    };
    const answer = async (json: unknown): Promise<string> => {
      const thing = await life(resource({ attributes: schema, create: () => json }));
      return (await thing.apply({ name: 'a' })).diagnostics?.[0]?.detail ?? 'no error';
    };
    expect(await answer(correct)).toBe('no error');
    const cases: readonly (readonly [unknown, string])[] = [
      [{ ...correct, token: 'hunter2' }, 'token: expected a number, got a string.'],
      [{ ...correct, amount: 'hunter2' }, 'amount: the text is not a number.'],
      [{ ...correct, secrets: { hunter2: 5 } }, 'secrets: expected a string, got a number.'],
      [
        { ...correct, disks: [{ key: 'hunter2' }] },
        'disks[0].key: expected a number, got a string.',
      ],
      [{ ...correct, disks: 'hunter2' }, 'disks: expected an array, got a string.'],
      [{ ...correct, vault: { pin: 'hunter2' } }, 'vault: expected a number, got a string.'],
    ];
    for (const [json, message] of cases) {
      const detail = await answer(json);
      expect(detail).toContain(message);
      expect(detail).not.toContain('hunter2');
    }
  });

  test('errors name the operation and the object; a failed creation leaves no object', async () => {
    const thing = await life(
      resource({
        attributes,
        create: () => {
          throw new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') });
        },
      }),
    );
    expect(await thing.apply({ name: 'a' })).toEqual({
      action: 'create',
      state: null,
      diagnostics: [
        {
          severity: 'error',
          summary: 'Unexpected Provider Error',
          detail: 'While creating x_thing, the provider failed: fetch failed: connect ECONNREFUSED',
        },
      ],
    });
  });

  test('an object saved before a failure is kept', async () => {
    const thing = await life(
      resource({
        attributes,
        create: async ({ save }) => {
          save({ id: 'i-1' });
          await Promise.resolve();
          throw new ProviderError('Not ready', 'It was created, but did not become ready.', 'name');
        },
      }),
    );
    expect(await thing.apply({ name: 'a' })).toEqual({
      action: 'create',
      state: { name: 'a', id: 'i-1' },
      diagnostics: [
        {
          severity: 'error',
          summary: 'Not ready',
          detail: 'It was created, but did not become ready.',
        },
      ],
    });
  });

  test('several findings are reported together, with paths', async () => {
    const provider = providerOf(
      resource({
        attributes: { disks: listNested({ size: int64({ optional: true }) }, { optional: true }) },
        create: ({ plan }) => plan,
        validate: ({ config, warn, error }) => {
          warn('Old', 'Use something newer.');
          if (isUnknown(config.disks)) return;
          for (const i of config.disks?.keys() ?? []) error('Bad', '', ['disks', i, 'size']);
        },
      }),
    );
    const { resources } = await provider.schema();
    expect(resources['x_thing']?.version).toBe(0);
    const disk = object({ size: number(1) });
    const config = object({ disks: listOf(disk.type, [disk]) });
    const type = 'x_thing';
    const { diagnostics } = await provider.validateResourceConfig({ type, config, capabilities });
    expect(diagnostics).toEqual([
      { severity: 'warning', summary: 'Old', detail: 'Use something newer.' },
      {
        severity: 'error',
        summary: 'Bad',
        detail: '',
        attribute: [attrStep('disks'), expect.anything(), attrStep('size')],
      },
    ]);
  });

  test('synchronous handlers are answered synchronously', () => {
    const provider = defineProvider({
      resources: {
        x_thing: resource({ attributes, create: ({ plan }) => ({ ...plan, id: 'x' }) }),
      },
    });
    const planned = object({ id: unknownOf(STRING), name: str('a') });
    const answer = provider.applyResourceChange({
      type: 'x_thing',
      prior: nullOf(planned.type),
      planned,
      config: object({ id: nullOf(STRING), name: str('a') }),
    });
    expect(isPromise(answer)).toBe(false);
  });

  test('an object can be deleted, or updated with knowledge of the changes', async () => {
    const changes: unknown[] = [];
    let exists = true;
    const thing = await life(
      resource({
        attributes: { ...attributes, size: int64({ optional: true }) },
        create: ({ plan, isNew, changed }) => {
          changes.push([isNew, changed('name'), changed('size')]);
          return { ...plan, id: 'x' };
        },
        update: ({ plan, state, isNew, changed }) => {
          changes.push([isNew, changed('name'), changed('size')]);
          return { ...plan, id: state.id };
        },
        read: ({ state }) => (exists ? state : gone),
      }),
    );
    await thing.apply({ name: 'a' });
    expect((await thing.apply({ name: 'a', size: 1 })).state).toEqual({
      name: 'a',
      id: 'x',
      size: 1,
    });
    expect(changes).toEqual([
      [true, true, false],
      [false, false, true],
    ]);
    exists = false;
    expect(await thing.refresh()).toEqual({ state: null });
  });
});

describe('planning', () => {
  test('a resource refines unknown values, and requests replacement', async () => {
    const thing = resource({
      attributes: {
        name: string({ required: true }),
        zone: string({ optional: true, computed: true }),
        url: string({ computed: true }),
      },
      modifyPlan: ({ plan, isNew, changed, requireReplace }) => {
        if (!isNew && changed('name')) requireReplace('name');
        const name = ifKnown(plan.name);
        return { url: name === undefined ? unknown() : unknown({ prefix: `https://${name}.` }) };
      },
      create: ({ plan }) => ({ ...plan, url: 'https://a.x', zone: ifKnown(plan.zone, 'z') }),
    });
    const config = object({ name: str('a'), url: nullOf(STRING), zone: nullOf(STRING) });
    const created = await planOf(thing, null, config);
    expect(created.diagnostics).toEqual([]);
    expect(created.planned.attr('url').refinement).toMatchObject({
      notNull: true,
      prefix: 'https://a.',
    });
    expect(created.planned.attr('zone').isKnown).toBe(false);
    const prior = object({ name: str('b'), url: str('https://b.x'), zone: str('z') });
    expect((await planOf(thing, prior, config)).requiresReplace).toEqual([[attrStep('name')]]);
  });

  test('replacement can depend on whether something is written, and on both values', async () => {
    const thing = resource({
      attributes: {
        a: string({ optional: true, computed: true, requiresReplace: 'if configured' }),
        n: int64({
          optional: true,
          requiresReplace: ({ prior, planned }) =>
            prior !== null && planned !== null && !isUnknown(planned) && planned < prior,
        }),
      },
      create: ({ plan }) => ({ ...plan, a: ifKnown(plan.a, 'x') }),
    });
    const prior = object({ a: str('x'), n: number(5) });
    const replaced = async (a: Value, n: number) =>
      (await planOf(thing, prior, object({ a, n: number(n) }))).requiresReplace.length;
    expect(await replaced(str('x'), 6)).toBe(0);
    expect(await replaced(str('x'), 4)).toBe(1);
    expect(await replaced(str('y'), 5)).toBe(1);
    expect(await replaced(nullOf(STRING), 6)).toBe(0);
  });

  test('semantically equal texts are kept: configured, planned, stored and read', async () => {
    let stored = '{"a":1}';
    const thing = await life(
      resource({
        attributes: {
          policy: string({ optional: true, semanticEquals: sameJson }),
          names: set(meaning(string, sameIgnoringCase), { optional: true }),
          rules: listNested(
            { body: string({ optional: true, semanticEquals: sameJson }) },
            { optional: true },
          ),
          made: string({ computed: true, useStateForUnknown: true }),
        },
        blocks: {
          rule: listBlock({ body: string({ optional: true, semanticEquals: sameJson }) }),
        },
        create: ({ plan }) => ({ ...plan, policy: '{ "a" : 1 }', made: 'm' }),
        update: ({ plan, state }) => ({ ...plan, made: state.made }),
        read: ({ state }) => ({
          ...state,
          policy: stored,
          names: state.names?.map((name) => name.toUpperCase()) ?? null,
          rules: state.rules?.map(() => ({ body: '{  "b": 2}' })) ?? null,
          rule: state.rule.map(() => ({ body: '{  "c": 3}' })),
        }),
      }),
    );
    const written = {
      policy: '{"a": 1}',
      names: ['a', 'b'],
      rules: [{ body: '{"b":2}' }],
      rule: [{ body: '{"c":3}' }],
    };
    const { state } = await thing.apply(written);
    expect(state).toEqual({ ...written, made: 'm' });
    stored = '{\n"a":1}';
    expect((await thing.refresh()).state).toEqual(state);
    // A semantically equal configured value is not a change.
    expect(
      await thing.apply({
        ...written,
        policy: '{ "a":  1 }',
        rules: [{ body: '{ "b": 2 }' }],
        rule: [{ body: '{ "c": 3 }' }],
      }),
    ).toEqual({ action: 'no-op', state });
    stored = '{"a":2}';
    expect((await thing.refresh()).state).toMatchObject({ policy: '{"a":2}' });
  });

  test('unknown values are deferred only if that is allowed', async () => {
    const thing = resource({
      attributes: { name: string({ required: true }) },
      modifyPlan: ({ plan }) =>
        isUnknown(plan.name) ? deferred('resource_config_unknown') : undefined,
      create: ({ plan }) => plan,
    });
    const config = object({ name: unknownOf(STRING) });
    expect(await planOf(thing, null, config)).toMatchObject({
      diagnostics: [{ summary: 'Invalid Deferred Response' }],
    });
    const provider = defineProvider({ resources: { x_thing: thing } });
    const request = { type: 'x_thing', prior: nullOf(config.type), proposed: config, config };
    const allowed = { ...capabilities, deferralAllowed: true };
    expect(await provider.planResourceChange({ ...request, capabilities: allowed })).toMatchObject({
      deferred: { reason: 'resource_config_unknown' },
      diagnostics: [],
    });
  });

  test('an unknown value cannot be mistaken for text', () => {
    expect(() => `${String(unknown())}`).toThrow('not known before');
    expect(() => JSON.stringify({ a: unknown() })).toThrow('not known before');
    expect(() => unknown({ prefix: 'x' }).toValue(number(1).type)).toThrow('prefix');
  });
});

describe('stored objects', () => {
  const upgradable = resource({
    version: 2,
    attributes: {
      name: string({ required: true }),
      tags: map(string, { optional: true }),
      disk: singleNested({ size: bigInt64({ required: true }) }, { optional: true }),
    },
    create: ({ plan }) => plan,
    upgraders: {
      0: upgradeFrom(
        { attributes: { title: string({ required: true }), size: bigInt64({ optional: true }) } },
        ({ title, size }) => ({ name: title, disk: size === null ? null : { size } }),
      ),
      1: (raw, { warn }) => {
        warn('Upgraded');
        return { name: String(raw['label']) };
      },
    },
    moves: [
      moveFrom(
        {
          type: 'other_thing',
          provider: 'x/other',
          attributes: { label: string({ optional: true }) },
        },
        ({ label }) => ({ name: label ?? '' }),
      ),
    ],
  });

  test('of older versions are upgraded, from a described type or from JSON', async () => {
    const thing = await life(upgradable);
    const old = { title: 'a', size: '9007199254740993', more: true };
    const upgraded = await providerOf(upgradable).upgradeResourceState({
      type: 'x_thing',
      version: 0,
      json: JSON.stringify(old),
    });
    expect(upgraded.state.attr('disk').attr('size').rawEquals(number(9007199254740993n))).toBe(
      true,
    );
    expect(await thing.upgrade({ label: 'b' }, 1)).toEqual({
      state: { name: 'b', tags: null, disk: null },
      diagnostics: [{ severity: 'warning', summary: 'Upgraded', detail: '' }],
    });
  });

  test('of other types are moved, those of unknown types rejected', async () => {
    const provider = providerOf(upgradable);
    const request = {
      sourceProvider: 'registry.terraform.io/x/other',
      sourceType: 'other_thing',
      sourceVersion: 3,
      sourceJson: '{"label":"l","id":"i"}',
      targetType: 'x_thing',
    };
    const moved = await provider.moveResourceState(request);
    expect(moved.state.attr('name').asString()).toBe('l');
    const refused = await provider.moveResourceState({ ...request, sourceType: 'else' });
    expect(refused).toMatchObject({ diagnostics: [{ summary: 'Unable to Move Resource State' }] });
  });
});

test('private data, identities and time-outs go along with an object', async () => {
  const seen: unknown[] = [];
  const thing = resource({
    attributes: {
      name: string({ required: true }),
      timeouts: timeouts({ create: '5m', delete: '1h' }),
    },
    private: privateData<{ etag: string; tries: number }>(),
    identity: {
      version: 1,
      attributes: { name: string({ required: true }) },
      of: ({ name }) => ({ name }),
      upgraders: { 0: (raw) => ({ name: String(raw['id']) }) },
    },
    create: ({ plan, setPrivate, timeout }) => {
      setPrivate({ etag: 'e', tries: 1 });
      seen.push(timeout);
      return plan;
    },
    read: ({ state, private: kept, identity, setPrivate }) => {
      seen.push(kept.etag, kept.tries, identity);
      setPrivate({ tries: undefined });
      return { name: state.name };
    },
    delete: ({ private: kept, timeout }) => {
      seen.push(kept, timeout);
    },
    import: ({ id, identity }) => ({ name: id ?? identity.name }),
  });
  const provider = providerOf(thing);
  const schema = await provider.schema();
  expect(schema.identities?.['x_thing']?.version).toBe(1);
  const type = 'x_thing';
  const withCreateTimeout = (create: Value) =>
    object({ name: str('n'), timeouts: object({ create, delete: nullOf(STRING) }) });
  const planned = withCreateTimeout(str('90s'));
  const prior = nullOf(planned.type);
  const created = await provider.applyResourceChange({ type, prior, planned, config: planned });
  expect(created.diagnostics).toEqual([]);
  expect(created.identity?.attr('name').asString()).toBe('n');
  const { identity } = created;
  if (identity === undefined || created.private === undefined) throw new Error('nothing is kept');
  const read = await provider.readResource({
    type,
    prior: created.state,
    private: created.private,
    identity,
    capabilities,
  });
  // The time-outs are not the provider's business, so an answer may leave them out.
  expect(read.state.rawEquals(created.state)).toBe(true);
  await provider.applyResourceChange({
    type,
    prior: read.state,
    planned: prior,
    config: prior,
    ...(read.private && { plannedPrivate: read.private }),
  });
  expect(seen).toEqual([90_000, 'e', 1, { name: 'n' }, { etag: 'e' }, 3_600_000]);
  const imported = await provider.importResourceState({ type, identity });
  expect(imported.imported[0]?.state.attr('name').asString()).toBe('n');
  const upgraded = await provider.upgradeResourceIdentity({ type, version: 0, json: '{"id":"i"}' });
  expect(upgraded.identity.attr('name').asString()).toBe('i');
});
