import {
  attrStep,
  Bug,
  list,
  nullOf,
  NUMBER,
  number,
  object,
  objectType,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Path, Type, Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { isPromise } from '../awaitable.ts';
import type {
  ApplyAnswer,
  ImportAnswer,
  PlanAnswer,
  Provider,
  ProviderDiagnostic,
  ReadAnswer,
} from '../contract.ts';
import { describeValue } from '../go-syntax/describe.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { ProviderSchema, Schema } from '../schema/model.ts';
import { enforceContract } from './enforce-contract.ts';
import type { CheckedProvider } from './enforce-contract.ts';

const SCHEMA: Schema = {
  version: 0,
  block: {
    attributes: {
      given: { type: STRING, optional: true },
      made: { type: STRING, computed: true },
      secret: { type: STRING, optional: true, writeOnly: true },
    },
    blocks: {},
  },
};
const TYPE = impliedType(SCHEMA.block);
const NOTHING = nullOf(TYPE);
const none = nullOf(STRING);
const U = unknownOf(STRING);
const o = (configured: Value = none, made: Value = none, secret: Value = none) =>
  object({ given: configured, made, secret });
const WRONG = object({ given: none, made: number(1), secret: none });

const PROVIDER: ProviderSchema = {
  provider: { version: 0, block: { attributes: {}, blocks: {} } },
  resources: { test_thing: SCHEMA },
  dataSources: { test_thing: SCHEMA },
  ephemeralResources: { test_thing: SCHEMA },
  functions: { upper: { parameters: [{ name: 'text', type: STRING }], returns: STRING } },
  capabilities: { planDestroy: true },
};

/** Returns a conforming provider with some methods replaced. */
function wrapped(parts: Partial<Provider> = {}, configAddress?: string): CheckedProvider {
  const honest: Provider = {
    schema: () => PROVIDER,
    validateProviderConfig: ({ config }) => ({ prepared: config }),
    validateResourceConfig: () => ({}),
    validateDataSourceConfig: () => ({}),
    configure: () => ({}),
    upgradeResourceState: () => ({ state: o() }),
    readResource: ({ prior }) => ({ state: prior }),
    planResourceChange: ({ proposed }) => ({ planned: proposed, requiresReplace: [] }),
    applyResourceChange: ({ planned }) => ({ state: planned }),
    importResourceState: ({ type }) => ({ imported: [{ type, state: o() }] }),
    readDataSource: ({ config }) => ({ state: config }),
    stop: () => {},
    close: () => {},
  };
  return enforceContract({ ...honest, ...parts }, 'example.com/test/test', configAddress);
}

const BUG =
  "\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.";
const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
const subject = { type: 'test_thing', address: 'test_thing.a', capabilities };
const CONFIG = 'provider[\\"example.com/test/test\\"]';

const texts = (diagnostics: readonly ProviderDiagnostic[] = []) =>
  diagnostics.map(({ summary, detail }) => [summary, detail]);
const same = (got: Value, wanted: Value) => {
  expect(describeValue(got)).toBe(describeValue(wanted));
};
const OWN_ERROR: ProviderDiagnostic = { severity: 'error', summary: 'Own', detail: 'Mine.' };
const WRITE_ONLY_END =
  "Write-only attributes cannot be read back from the provider. This is a bug in the provider, which should be reported in the provider's own issue tracker.";

describe('a plan', () => {
  const plan = (answer: Partial<PlanAnswer>, prior = NOTHING, config = o(str('x')), more = {}) =>
    wrapped({
      planResourceChange: () => ({ planned: config, requiresReplace: [], ...answer }),
    }).planResourceChange({ ...subject, prior, config, proposed: config, ...more });

  const invalid = 'Provider "example.com/test/test" planned an invalid value for';
  const valueMismatch =
    'planned value cty.StringVal("y") does not match config value cty.StringVal("x")';

  test('may fill in computed values', async () => {
    const answer = await plan({ planned: o(str('x'), U) });
    expect(answer.diagnostics).toBeUndefined();
    same(answer.planned, o(str('x'), U));
  });

  test.each<[string, Value, string]>([
    [
      'contradicts what is written',
      o(str('y')),
      `${invalid} test_thing.a.given: ${valueMismatch}.${BUG}`,
    ],
    [
      'is of another type',
      WRONG,
      `${invalid} test_thing.a.made: string required, but received number.${BUG}`,
    ],
    [
      'is null for an object to be',
      NOTHING,
      `${invalid} test_thing.a: planned for absence but config wants existence.${BUG}`,
    ],
    [
      'has a write-only value',
      o(str('x'), none, str('s')),
      `Provider "${CONFIG}" returned a value for the write-only attribute "test_thing.a.secret" during planning. ${WRITE_ONLY_END}`,
    ],
  ])('is rejected when it %s', async (_, planned, detail) => {
    const answer = await plan({ planned });
    expect(texts(answer.diagnostics)).toEqual([['Provider produced invalid plan', detail]]);
    expect(answer.diagnostics?.[0]).toMatchObject({ severity: 'error', sourceless: true });
  });

  test('of the legacy SDK, or of the second half of a replacement, may differ', async () => {
    const planned = o(str('y'));
    expect((await plan({ planned, legacyTypeSystem: true })).diagnostics).toBeUndefined();
    const again = await plan({ planned }, NOTHING, o(str('x')), { replacing: true });
    expect(again.diagnostics).toBeUndefined();
    const wrong = await plan({ planned: WRONG, legacyTypeSystem: true });
    expect(wrong.diagnostics).toHaveLength(1);
  });

  test('must not request replacement for missing attributes', async () => {
    const paths: Path[] = [[attrStep('given')], [attrStep('nope'), attrStep('x')]];
    const config = o(str('x'));
    const answer = await plan({ requiresReplace: paths }, o(str('w')), config);
    expect(texts(answer.diagnostics)).toEqual([
      [
        'Provider produced invalid plan',
        `Provider "example.com/test/test" has indicated "requires replacement" on test_thing.a for a non-existent attribute path cty.Path{cty.GetAttrStep{Name:"nope"}, cty.GetAttrStep{Name:"x"}}.${BUG}`,
      ],
    ]);
  });

  test('of a destroy is null', async () => {
    const request = { ...subject, prior: o(), config: NOTHING, proposed: NOTHING };
    const planResourceChange = () => ({ planned: o(), requiresReplace: [] });
    const answer = await wrapped({ planResourceChange }).planResourceChange(request);
    expect(texts(answer.diagnostics)).toEqual([
      [
        'Provider produced invalid plan',
        `Provider "example.com/test/test" planned a non-null destroy value for test_thing.a.${BUG}`,
      ],
    ]);
  });

  test('of a destroy is not requested without the capability', async () => {
    const schema = () => ({ ...PROVIDER, capabilities: {} });
    const planResourceChange = () => ({ planned: o(), requiresReplace: [] });
    const request = { ...subject, prior: o(), config: NOTHING, proposed: NOTHING };
    const answer = await wrapped({ schema, planResourceChange }).planResourceChange(request);
    expect(answer.planned.isNull).toBe(true);
    expect(answer.diagnostics).toBeUndefined();
  });

  test('must not be deferred unless that is allowed', async () => {
    const answer = await plan({ deferred: { reason: 'unknown' } });
    expect(texts(answer.diagnostics)).toEqual([
      [
        'Provider deferred changes when Terraform did not allow deferrals',
        'The provider signaled a deferred action for "test_thing.a", but in this context deferrals are disabled. This is a bug in the provider, please file an issue with the provider developers.',
      ],
    ]);
  });

  test('with errors of the provider is not examined further', async () => {
    const answer = await plan({ planned: WRONG, diagnostics: [OWN_ERROR] });
    expect(answer.diagnostics).toEqual([OWN_ERROR]);
  });
});

describe('an applied object', () => {
  const apply = (answer: Partial<ApplyAnswer>, planned = o(str('x'), U), prior = NOTHING) =>
    wrapped({
      applyResourceChange: () => ({ state: planned, ...answer }),
    }).applyResourceChange({ ...subject, prior, planned, config: o(str('x')) });

  test('may fill in unknown values', async () => {
    const answer = await apply({ state: o(str('x'), str('m')) });
    expect(answer.diagnostics).toBeUndefined();
    same(answer.state, o(str('x'), str('m')));
  });

  test('must not be unknown; unknown parts become null', async () => {
    const answer = await apply({ state: o(str('x'), U) });
    expect(texts(answer.diagnostics)).toEqual([
      [
        'Provider returned invalid result object after apply',
        "After the apply operation, the provider still indicated an unknown value for test_thing.a.made. All values must be known after apply, so this is always a bug in the provider and should be reported in the provider's own repository. Terraform will still save the other known object values in the state.",
      ],
    ]);
    same(answer.state, o(str('x')));
  });

  const changed = [
    'Provider produced inconsistent result after apply',
    `When applying changes to test_thing.a, provider "${CONFIG}" produced an unexpected new value: .given: was cty.StringVal("x"), but now cty.StringVal("y").${BUG}`,
  ];

  test('must be as planned', async () => {
    const answer = await apply({ state: o(str('y'), str('m')) });
    expect(texts(answer.diagnostics)).toEqual([changed]);
    same(answer.state, o(str('y'), str('m')));
  });

  test('of the legacy SDK may differ from the plan', async () => {
    const answer = await apply({ state: o(str('y'), str('m')), legacyTypeSystem: true });
    expect(answer.diagnostics).toBeUndefined();
  });

  test('is kept beside errors, without being held to the plan', async () => {
    const answer = await apply({ state: o(str('y'), U), diagnostics: [OWN_ERROR] });
    expect(answer.diagnostics?.map((d) => d.summary)).toEqual([
      'Own',
      'Provider returned invalid result object after apply',
    ]);
    same(answer.state, o(str('y')));
  });

  test.each<[string, Value, string, string]>([
    [
      'of another type',
      WRONG,
      'Provider produced invalid object',
      `Provider "${CONFIG}" produced an invalid value after apply for test_thing.a.made: string required, but received number. The result cannot not be saved in the Terraform state.${BUG}`,
    ],
    [
      'with a write-only value',
      o(str('x'), str('m'), str('s')),
      'Provider produced invalid object',
      `Provider "${CONFIG}" returned a value for the write-only attribute "test_thing.a.secret" after apply. ${WRITE_ONLY_END}`,
    ],
  ])('%s can not be kept', async (_, state, summary, detail) => {
    const answer = await apply({ state });
    expect(texts(answer.diagnostics)).toEqual([[summary, detail]]);
    expect(answer.state.isNull).toBe(true);
  });

  test('must be there after it was created or updated', async () => {
    const result = 'Provider returned invalid result object after apply';
    const detail = (action: string) =>
      `After applying a ${action} plan, the provider returned a null object for test_thing.a. Only destroying should always produce a null value, so this is always a bug in the provider and should be reported in the provider's own repository.`;
    const legacyTypeSystem = true;
    const created = await apply({ state: NOTHING, legacyTypeSystem });
    expect(texts(created.diagnostics)).toEqual([[result, detail('Create')]]);
    const updated = await apply({ state: NOTHING, legacyTypeSystem }, o(str('x')), o());
    expect(texts(updated.diagnostics)).toEqual([[result, detail('Update')]]);
    const vanished = await apply({ state: NOTHING });
    expect(texts(vanished.diagnostics)).toEqual([
      [
        'Provider produced inconsistent result after apply',
        `When applying changes to test_thing.a, provider "${CONFIG}" produced an unexpected new value: Root object was present, but now absent.${BUG}`,
      ],
    ]);
  });

  test('must not exist after it was destroyed', async () => {
    const answer = await apply({ state: o(str('x')) }, NOTHING, o(str('x')));
    expect(texts(answer.diagnostics)).toEqual([
      [
        'Provider returned invalid result object after apply',
        "After applying a Delete plan, the provider returned a non-null object for test_thing.a. Destroying should always produce a null value, so this is always a bug in the provider and should be reported in the provider's own repository. Terraform will still save this errant object in the state for debugging and recovery.",
      ],
    ]);
    same(answer.state, o(str('x')));
  });

  test('that was never returned counts as unchanged', async () => {
    const applyResourceChange = (): ApplyAnswer => ({ diagnostics: [] }) as unknown as ApplyAnswer;
    const request = { ...subject, prior: o(str('old')), planned: o(str('x')), config: o(str('x')) };
    const answer = await wrapped({ applyResourceChange }).applyResourceChange(request);
    expect(texts(answer.diagnostics)).toEqual([
      [
        'Provider produced invalid object',
        `Provider "${CONFIG}" produced an invalid nil value after apply for test_thing.a.${BUG}`,
      ],
    ]);
    same(answer.state, o(str('old')));
  });
});

describe('a refreshed object', () => {
  const read = (answer: Partial<ReadAnswer>) =>
    wrapped({ readResource: () => ({ state: o(), ...answer }) }).readResource({
      ...subject,
      prior: o(str('old')),
      private: Uint8Array.of(1),
    });
  const begin = `Provider "example.com/test/test" planned an invalid value for test_thing.a during refresh:`;

  test.each<[string, Value, string]>([
    ['unknown', o(U), `${begin} The returned state contains unknown values.${BUG}`],
    ['of another type', WRONG, `${begin} .made: string required, but received number.${BUG}`],
    [
      'with a write-only value',
      o(none, none, str('s')),
      `Provider "${CONFIG}" returned a value for the write-only attribute "test_thing.a.secret" during refresh. ${WRITE_ONLY_END}`,
    ],
  ])('%s is rejected, and the prior one is kept', async (_, state, detail) => {
    const answer = await read({ state });
    expect(texts(answer.diagnostics)).toEqual([['Provider produced invalid object', detail]]);
    same(answer.state, o(str('old')));
    expect(answer.private).toEqual(Uint8Array.of(1));
  });

  test('may be null', async () => {
    expect(await read({ state: NOTHING })).toEqual({ state: NOTHING });
  });

  test('beside errors of the provider is not taken', async () => {
    const answer = await read({ diagnostics: [OWN_ERROR] });
    same(answer.state, o(str('old')));
    expect(answer.diagnostics).toEqual([OWN_ERROR]);
  });
});

describe('data', () => {
  const read = (state: Value | undefined, diagnostics?: readonly ProviderDiagnostic[]) =>
    wrapped({
      readDataSource: () => ({ state, ...(diagnostics && { diagnostics }) }) as never,
    }).readDataSource({ ...subject, config: o() });

  test.each<[string, Value | undefined, string, string]>([
    [
      'of another type',
      WRONG,
      'Provider produced invalid object',
      `Provider "${CONFIG}" produced an invalid value for test_thing.a.made: string required, but received number.${BUG}`,
    ],
    [
      'that is null',
      NOTHING,
      'Provider produced null object',
      `Provider "${CONFIG}" produced a null value for test_thing.a.${BUG}`,
    ],
    [
      'that is missing',
      undefined,
      'Provider produced null object',
      `Provider "${CONFIG}" produced a null value for test_thing.a.${BUG}`,
    ],
    [
      'that is unknown',
      o(U),
      'Provider produced invalid object',
      `Provider "${CONFIG}" produced a value for test_thing.a that is not wholly known.${BUG}`,
    ],
  ])('%s is rejected', async (_, state, summary, detail) => {
    const answer = await read(state);
    expect(texts(answer.diagnostics)).toEqual([[summary, detail]]);
    expect(answer.state.isWhollyKnown()).toBe(true);
  });

  test('beside errors of the provider is not examined', async () => {
    expect((await read(WRONG, [OWN_ERROR])).diagnostics).toEqual([OWN_ERROR]);
  });
});

describe('an upgraded object', () => {
  const begin =
    'The test provider upgraded the state for test_thing.a from a previous version, but produced an invalid result:';

  test.each<[Value, string]>([
    [o(U), `${begin} The returned state contains unknown values.`],
    [WRONG, `${begin} .made: string required, but received number.`],
    [
      o(none, none, str('s')),
      `While attempting to upgrade state of resource test_thing.a, the provider "test" returned a value for the write-only attribute "test_thing.a.secret". ${WRITE_ONLY_END}`,
    ],
  ])('%#: is rejected', async (state, detail) => {
    const provider = wrapped({ upgradeResourceState: () => ({ state }) });
    const answer = await provider.upgradeResourceState({ ...subject, version: 0, json: '{}' });
    expect(texts(answer.diagnostics)).toEqual([['Invalid resource state upgrade', detail]]);
    expect(answer.state.isNull).toBe(true);
  });
});

describe('an import', () => {
  const taken = (answer: ImportAnswer) =>
    wrapped({ importResourceState: () => answer }).importResourceState({ ...subject, id: 'i' });
  const thing = (state: Value, type = 'test_thing') => ({ type, state });

  test.each<[string, ImportAnswer, [string, string]]>([
    [
      'of nothing',
      { imported: [] },
      [
        'Import returned no resources',
        'While attempting to import with ID i, the providerreturned no instance states.',
      ],
    ],
    [
      'of two objects',
      { imported: [thing(o()), thing(o())] },
      [
        'Multiple import states not supported',
        'While attempting to import with ID i, the provider returned multiple resource instance states. This is not currently supported.',
      ],
    ],
    [
      'without a type',
      { imported: [thing(o(), '')] },
      ["import of test_thing.a didn't set type", ''],
    ],
    [
      'of another type',
      { imported: [thing(WRONG)] },
      [
        'Provider produced invalid object',
        `Provider "example.com/test/test" produced an invalid value for test_thing.a during import: .made: string required, but received number.${BUG}`,
      ],
    ],
    [
      'with a write-only value',
      { imported: [thing(o(none, none, str('s')))] },
      [
        'Import returned a non-null value for a write-only attribute',
        `While attempting to import with ID i, the provider "${CONFIG}" returned a value for the write-only attribute "test_thing.a.secret". ${WRITE_ONLY_END}`,
      ],
    ],
  ])('%s is rejected', async (_, importAnswer, expected) => {
    const answer = await taken(importAnswer);
    expect(texts(answer.diagnostics)).toEqual([expected]);
    expect(answer.imported).toEqual([]);
  });

  test('of one object passes', async () => {
    const importAnswer = { imported: [thing(o(str('x')))] };
    expect(await taken(importAnswer)).toBe(importAnswer);
  });
});

test('a moved object is held to its type', async () => {
  const request = {
    ...subject,
    targetType: 'test_thing',
    sourceProvider: 'p',
    sourceType: 't',
    sourceVersion: 0,
    sourceJson: '{}',
  };
  const answer = await wrapped({ moveResourceState: () => ({ state: WRONG }) }).moveResourceState(
    request,
  );
  expect(texts(answer.diagnostics)).toEqual([
    [
      'Provider returned invalid value',
      'The provider returned an invalid value during an across type move operation to test_thing.a: .made: string required, but received number. This is a bug in the relevant provider; Please report it.',
    ],
  ]);
});

test('an opened ephemeral resource must keep the configured values', async () => {
  const opened = (result: Value) =>
    wrapped({ openEphemeralResource: () => ({ result }) }).openEphemeralResource({
      ...subject,
      config: o(str('x')),
    });
  expect((await opened(o(str('x'), str('m')))).diagnostics).toBeUndefined();
  expect(texts((await opened(o(str('y')))).diagnostics)).toEqual([
    [
      'Provider produced invalid ephemeral resource instance',
      'The provider for test_thing produced an inconsistent result: .given: planned value cty.StringVal("y") does not match config value cty.StringVal("x").',
    ],
  ]);
});

describe('functions', () => {
  const call = (answer: object, name = 'upper') =>
    wrapped({ callFunction: () => answer }).callFunction({ name, args: [str('a')] });

  test('return conforming values', async () => {
    const { result } = await call({ result: str('A') });
    expect(result?.asString()).toBe('A');
  });

  test.each([
    [{}, 'provider returned no result and no errors'],
    [{ result: number(1) }, 'provider returned a value of an unexpected type'],
    [{ error: { message: 'no' } }, 'no'],
  ])('%#: are held to it', async (answer, message) => {
    expect(await call(answer)).toEqual({ error: { message } });
  });

  test('must exist', async () => {
    const message = 'provider has no function named "nope"';
    expect(await call({}, 'nope')).toEqual({ error: { message } });
  });
});

describe('a provider that throws', () => {
  const thrown = (doing: string): [string, string][] => [
    [
      'Provider failed unexpectedly',
      `Provider "example.com/test/test" failed while ${doing}: boom\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`,
    ],
  ];
  const fail = () => {
    throw new Error('boom');
  };
  const failLater = () => Promise.reject(new Error('boom'));

  test.each([
    ['at once', fail],
    ['later', failLater],
  ])('%s has failed, with the prior object', async (_, failing) => {
    const provider = wrapped({
      readResource: failing,
      planResourceChange: failing,
      applyResourceChange: failing,
      readDataSource: failing,
      importResourceState: failing,
      upgradeResourceState: failing,
      configure: failing,
    });
    const prior = o(str('old'));
    const request = { ...subject, prior, config: o(), proposed: o(), planned: o() };
    const read = await provider.readResource(request);
    expect(texts(read.diagnostics)).toEqual(thrown('reading test_thing.a'));
    same(read.state, prior);
    const plan = await provider.planResourceChange(request);
    expect(texts(plan.diagnostics)).toEqual(thrown('planning test_thing.a'));
    same(plan.planned, prior);
    const apply = await provider.applyResourceChange(request);
    expect(texts(apply.diagnostics)).toEqual(thrown('applying test_thing.a'));
    same(apply.state, prior);
    expect(texts((await provider.readDataSource(request)).diagnostics)).toEqual(
      thrown('reading test_thing.a'),
    );
    expect(await provider.importResourceState(request)).toMatchObject({ imported: [] });
    const upgrade = await provider.upgradeResourceState({ ...subject, version: 0 });
    expect(texts(upgrade.diagnostics)).toEqual(thrown('upgrading test_thing.a'));
    const configured = await provider.configure({
      terraformVersion: '1.11.4',
      config: o(),
      capabilities,
    });
    expect(texts(configured.diagnostics)).toEqual(thrown('being configured'));
  });

  test('an internal error is not attributed to the provider', () => {
    const bug = new Bug('ours');
    const provider = wrapped({
      readResource: () => {
        throw bug;
      },
    });
    expect(() => provider.readResource({ ...subject, prior: o() })).toThrow(bug);
  });
});

test('synchronous answers are passed on synchronously, asynchronous ones later', async () => {
  const request = { ...subject, prior: o(), config: o(), proposed: o(), planned: o() };
  const provider = wrapped();
  for (const answer of [
    provider.schema(),
    provider.readResource(request),
    provider.planResourceChange(request),
    provider.applyResourceChange(request),
    provider.readDataSource(request),
    provider.importResourceState(request),
    provider.upgradeResourceState({ ...subject, version: 0 }),
  ]) {
    expect(isPromise(answer)).toBe(false);
  }
  const late = wrapped({ schema: () => Promise.resolve(PROVIDER) });
  expect(late.known).toBeUndefined();
  expect(isPromise(late.readResource(request))).toBe(true);
  await late.schema();
  expect(late.known).toBe(PROVIDER);
  expect(isPromise(late.readResource(request))).toBe(false);
});

test('the configuration block is named if it is not the default one', async () => {
  const provider = wrapped(
    { readDataSource: () => ({ state: NOTHING }) },
    'module.m.provider["example.com/test/test"].b',
  );
  const answer = await provider.readDataSource({ ...subject, config: o() });
  expect(answer.diagnostics?.[0]?.detail).toContain(
    'Provider "module.m.provider[\\"example.com/test/test\\"].b" produced a null value',
  );
});

test('a type that the provider does not have is our own mistake', () => {
  expect(() => wrapped().readResource({ ...subject, type: 'nope', prior: o() })).toThrow(Bug);
});

test('lists and numbers are compared as such', async () => {
  const listed: Schema = {
    version: 0,
    block: {
      attributes: {
        n: { type: NUMBER, optional: true },
        l: { type: list(STRING, []).type, optional: true },
      },
      blocks: {},
    },
  };
  const type: Type = objectType({ n: NUMBER, l: list(STRING, []).type });
  const v = (n: number) => object({ n: number(n), l: list(STRING, [str(String(n))]) });
  const provider = wrapped({
    schema: () => ({ ...PROVIDER, resources: { test_thing: listed } }),
    applyResourceChange: () => ({ state: v(2) }),
  });
  const request = { ...subject, prior: nullOf(type), planned: v(1), config: v(1) };
  const { diagnostics } = await provider.applyResourceChange(request);
  expect(diagnostics?.map((d) => d.detail.split('\n')[0])).toEqual([
    `When applying changes to test_thing.a, provider "${CONFIG}" produced an unexpected new value: .l[0]: was cty.StringVal("1"), but now cty.StringVal("2").`,
    `When applying changes to test_thing.a, provider "${CONFIG}" produced an unexpected new value: .n: was cty.NumberIntVal(1), but now cty.NumberIntVal(2).`,
  ]);
});

describe('an infinite number', () => {
  const numeric: Schema = {
    version: 0,
    block: {
      attributes: {
        n: { type: NUMBER, computed: true },
        kept: { type: STRING, computed: true },
      },
      blocks: {},
    },
  };
  const planned = object({ n: unknownOf(NUMBER), kept: U });
  const infinite = object({ n: number(Infinity), kept: str('x') });
  const provider = wrapped({
    schema: () => ({ ...PROVIDER, resources: { test_thing: numeric } }),
    applyResourceChange: () => ({ state: infinite }),
    readResource: () => ({ state: infinite }),
  });

  test('in an applied object becomes null, since the object exists', async () => {
    const request = { ...subject, prior: nullOf(planned.type), planned, config: planned };
    const { state, diagnostics } = await provider.applyResourceChange(request);
    expect(texts(diagnostics)).toEqual([
      [
        'Provider returned invalid result object after apply',
        `After the apply operation, the provider returned an infinite number for test_thing.a.n, which cannot be saved in the state.${BUG} Terraform will still save the other object values in the state.`,
      ],
    ]);
    same(state, object({ n: nullOf(NUMBER), kept: str('x') }));
  });

  test('in an object that is read is an error', async () => {
    const { diagnostics } = await provider.readResource({ ...subject, prior: infinite });
    expect(diagnostics?.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('test_thing.a during refresh: .n: a finite number is required'),
    ]);
  });
});

describe('an identity', () => {
  const identities = {
    test_thing: {
      version: 1,
      block: { attributes: { given: { type: STRING, required: true } }, blocks: {} },
    },
  };
  const known = object({ given: str('x') });
  const unknown = object({ given: U });
  const plan = (identity: Value, schema: ProviderSchema = { ...PROVIDER, identities }) =>
    wrapped({
      schema: () => schema,
      planResourceChange: ({ proposed }) => ({ planned: proposed, requiresReplace: [], identity }),
    });
  const apply = (identity: Value) =>
    wrapped({
      schema: () => ({ ...PROVIDER, identities }),
      applyResourceChange: ({ planned }) => ({ state: planned, identity }),
    });
  const request = { ...subject, prior: NOTHING, config: o(), proposed: o() };

  test('may be unknown in a plan to make something', async () => {
    expect((await plan(unknown).planResourceChange(request)).identity).toBe(unknown);
  });

  test('must be known for created and deleted objects', async () => {
    const detail = `Provider "example.com/test/test" returned an identity with unknown values for test_thing.a. ${BUG}`;
    const expected = [['Provider produced invalid identity', detail]];
    const made = await apply(unknown).applyResourceChange({ ...request, planned: o() });
    expect(texts(made.diagnostics)).toEqual(expected);
    expect(made.identity).toBeUndefined();
    const leaving = { ...request, prior: o(), config: NOTHING, proposed: NOTHING };
    const gone = await plan(unknown).planResourceChange(leaving);
    expect(texts(gone.diagnostics)).toEqual(expected);
  });

  test('is of the type of its schema', async () => {
    const answer = await plan(object({ given: number(1) })).planResourceChange(request);
    expect(texts(answer.diagnostics)).toEqual([
      [
        "Provider produced an identity that doesn't match the schema",
        `Provider "example.com/test/test" returned an identity for test_thing.a that doesn't match the identity schema: .given: string required, but received number. ${BUG}`,
      ],
    ]);
  });

  test('is omitted if the type has none', async () => {
    const answer = await plan(known, PROVIDER).planResourceChange(request);
    expect(answer.identity).toBeUndefined();
    expect(answer.diagnostics).toBeUndefined();
  });
});
