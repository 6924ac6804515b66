import {
  BOOL,
  list,
  listType,
  mapType,
  nullOf,
  number,
  NUMBER,
  object,
  objectType,
  set,
  str,
  STRING,
  TRUE,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { isPromise } from '../awaitable.ts';
import { enforceContract } from '../enforce/enforce-contract.ts';
import type { CheckedProvider } from '../enforce/enforce-contract.ts';
import { proposedNew } from '../change/proposed-new.ts';
import { describePath, describeValue } from '../go-syntax/describe.ts';
import { openEphemeral, readData, ResourceLife } from '../testing/index.ts';
import type { Step, Written } from '../testing/index.ts';
import { defineProvider } from './define-provider.ts';
import { error } from './diagnostics.ts';
import type { AttributeDefinition, ResourceDefinition } from './definition.ts';
import { requiresReplace, requiresReplaceIf, useStateForUnknown } from './modifiers.ts';
import {
  alsoRequires,
  atLeast,
  atLeastOneOf,
  atLeastSumOf,
  conflictsWith,
  elementsAre,
  exactlyOneOf,
  lengthAtLeast,
  matches,
  oneOf,
  requireAtLeastOneOf,
  sizeBetween,
} from './validators.ts';

const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

function providerOf(thing: Partial<ResourceDefinition>): CheckedProvider {
  const create: ResourceDefinition['create'] = ({ plan }) => ({
    state: plan.with(
      Object.fromEntries(
        plan.type.names.filter((name) => !plan.value(name).isKnown).map((name) => [name, 'made']),
      ),
    ),
  });
  const resources = { x_thing: { create, ...thing } };
  return enforceContract(defineProvider({ resources }), 'example.com/x/x');
}

const life = (thing: Partial<ResourceDefinition>) => ResourceLife.of(providerOf(thing), 'x_thing');

const given: AttributeDefinition = { type: STRING, optional: true };
const made: AttributeDefinition = { type: STRING, computed: true };

describe('planning', () => {
  test('what is computed is unknown as soon as anything changes', async () => {
    const thing = { attributes: { given, made } };
    const provider = providerOf(thing);
    const o = (g: string, m: Value) => object({ given: str(g), made: m });
    const plan = (config: Value) => {
      const prior = o('a', str('m'));
      const schema = provider.known?.resources['x_thing'];
      if (schema === undefined) throw new Error('no schema');
      const proposed = proposedNew(schema.block, prior, config);
      return provider.planResourceChange({
        type: 'x_thing',
        prior,
        config,
        proposed,
        capabilities,
      });
    };
    await provider.schema();
    const none = nullOf(STRING);
    expect((await plan(o('a', none))).planned.attr('made').isKnown).toBe(true);
    expect((await plan(o('b', none))).planned.attr('made').isKnown).toBe(false);
  });

  test('a default stands where nothing is written', async () => {
    const d: AttributeDefinition = {
      type: STRING,
      optional: true,
      computed: true,
      default: str('d'),
    };
    const object = await life({ attributes: { d } });
    expect(await object.apply({})).toEqual({ action: 'create', state: { d: 'd' } });
    expect((await object.apply({ d: 'other' })).state).toEqual({ d: 'other' });
    expect((await object.apply({})).state).toEqual({ d: 'd' });
  });

  test('state is used for the unknown, but not where what is written is unknown', async () => {
    const both: AttributeDefinition = {
      type: STRING,
      optional: true,
      computed: true,
      modifiers: [useStateForUnknown],
    };
    const provider = providerOf({ attributes: { given, both } });
    const prior = object({ given: str('a'), both: str('b') });
    const plan = async (both: Value) => {
      const config = object({ given: str('c'), both });
      const proposed = config;
      const request = { type: 'x_thing', prior, config, proposed, capabilities };
      return (await provider.planResourceChange(request)).planned.attr('both');
    };
    expect((await plan(nullOf(STRING))).rawEquals(str('b'))).toBe(true);
    expect((await plan(unknownOf(STRING))).isKnown).toBe(false);
  });

  test('a change can ask for replacement, always or on a condition', async () => {
    const attributes = {
      always: { ...given, modifiers: [requiresReplace] },
      grown: {
        type: NUMBER,
        optional: true,
        modifiers: [
          requiresReplaceIf(({ planValue, stateValue }) => planValue.asInt() < stateValue.asInt()),
        ],
      },
    };
    const object = await life({ attributes });
    expect((await object.apply({ always: 'a', grown: 1 })).action).toBe('create');
    expect((await object.apply({ always: 'a', grown: 2 })).action).toBe('update');
    expect((await object.apply({ always: 'a', grown: 1 })).action).toBe('replace');
    expect((await object.apply({ always: 'b', grown: 1 })).action).toBe('replace');
  });

  test('nested attributes and blocks are treated likewise, with their paths', async () => {
    const inner = { given: { ...given, modifiers: [requiresReplace] }, made };
    const provider = providerOf({
      attributes: { nested: { nested: { nesting: 'list', attributes: inner }, optional: true } },
      blocks: { block: { nesting: 'set', attributes: inner } },
    });
    const none = nullOf(STRING);
    const type = objectType({ given: STRING, made: STRING });
    const i = (g: string, m: Value = none) => object({ given: str(g), made: m });
    const o = (nested: Value[], block: Value[]) =>
      object({ nested: list(type, nested), block: set(type, block) });
    const prior = o([i('a', str('m'))], [i('x', str('m'))]);
    const config = o([i('b'), i('c')], [i('x')]);
    const { known } = (await provider.schema(), provider);
    const block = known?.resources['x_thing']?.block;
    if (block === undefined) throw new Error('no schema');
    const proposed = proposedNew(block, prior, config);
    const request = { type: 'x_thing', prior, config, proposed, capabilities };
    const answer = await provider.planResourceChange(request);
    const U = unknownOf(STRING);
    expect(describeValue(answer.planned)).toBe(
      describeValue(o([i('b', U), i('c', U)], [i('x', str('m'))])),
    );
    const at = (index: number) =>
      `cty.Path{cty.GetAttrStep{Name:"nested"}, cty.IndexStep{Key:cty.NumberIntVal(${index})}, cty.GetAttrStep{Name:"given"}}`;
    expect(answer.requiresReplace.map(describePath)).toEqual([at(0), at(1)]);
  });

  test('a resource can change the plan as a whole, and object to it', async () => {
    const object = await life({
      attributes: { given, made },
      modifyPlan: ({ plan, state }) => {
        if (plan.string('given') === 'bad') return { diagnostics: [error('Bad', 'No.', 'given')] };
        return state ? { plan: plan.with({ made: 'planned' }) } : {};
      },
      update: ({ plan }) => ({ state: plan.with({}) }),
    });
    expect((await object.apply({ given: 'a' })).state).toEqual({ given: 'a', made: 'made' });
    expect((await object.apply({ given: 'b' })).state).toEqual({ given: 'b', made: 'planned' });
    expect((await object.apply({ given: 'bad' })).diagnostics).toEqual([
      { severity: 'error', summary: 'Bad', detail: 'No.' },
    ]);
  });
});

describe('applying', () => {
  test('an update without a handler stores the plan; a failed step keeps what was there', async () => {
    const failure = { diagnostics: [error('Failed', 'So.')] };
    let fail = false;
    const object = await life({
      attributes: { given },
      delete: () => (fail ? failure : {}),
      read: () => (fail ? { gone: true } : {}),
    });
    await object.apply({ given: 'a' });
    expect(await object.apply({ given: 'b' })).toEqual({ action: 'update', state: { given: 'b' } });
    fail = true;
    expect(await object.destroy()).toMatchObject({
      action: 'delete',
      state: { given: 'b' },
      diagnostics: [{ summary: 'Failed' }],
    });
    expect(await object.refresh()).toEqual({ state: null });
  });

  test('texts that mean the same stay as they were', async () => {
    const text: AttributeDefinition = {
      ...given,
      sameMeaning: (before, after) => before.toLowerCase() === after.toLowerCase(),
    };
    const object = await life({
      attributes: { text },
      read: (state) => ({
        state: state.with({ text: (state.string('text') ?? '').toUpperCase() }),
      }),
    });
    await object.apply({ text: 'Abc' });
    expect(await object.refresh()).toEqual({ state: { text: 'Abc' } });
  });

  test('handlers that answer at once are answered at once', () => {
    const provider = providerOf({ attributes: { given } });
    const v = object({ given: str('a') });
    const request = { type: 'x_thing', prior: nullOf(v.type), planned: v, config: v };
    expect(isPromise(provider.applyResourceChange(request))).toBe(false);
  });
});

describe('stored objects', () => {
  const upgrades: ResourceDefinition['upgrades'] = {
    0: {
      type: objectType({ old: STRING }),
      upgrade: (older) => ({ state: object({ given: older.attr('old') }) }),
    },
  };
  const current = { version: 1, attributes: { given }, upgrades };

  test('of the current version are read, without what is not known any more', async () => {
    expect(await (await life(current)).upgrade({ given: 'a', gone: 1 }, 1)).toEqual({
      state: { given: 'a' },
    });
  });

  test('of an older version are upgraded', async () => {
    expect(await (await life(current)).upgrade({ old: 'a' }, 0)).toEqual({ state: { given: 'a' } });
  });

  const detail = async (step: Promise<Step>) => {
    const [found] = (await step).diagnostics ?? [];
    return [found?.summary, found?.detail];
  };

  test('that do not fit are reported', async () => {
    const [summary, text] = await detail((await life(current)).upgrade({ given: [] }, 1));
    expect(summary).toBe('Unable to Read Previously Saved State for UpgradeResourceState');
    expect(text).toMatch(/AttributeName\("given"\): /);
  });

  test.each([
    [current, 'with'],
    [{ attributes: { given }, version: 1 }, 'without'],
  ])('of a version that nothing upgrades are reported: %#', async (thing, how) => {
    expect(await detail((await life(thing)).upgrade({}, 7))).toEqual([
      'Unable to Upgrade Resource State',
      `This resource was implemented ${how} an UpgradeState() method, however Terraform was expecting an implementation for version 7 upgrade.\n\nThis is always an issue with the Terraform Provider and should be reported to the provider developer.`,
    ]);
  });
});

describe('validation', () => {
  const check = async (
    attributes: Readonly<Record<string, AttributeDefinition>>,
    written: Written,
    more: Partial<ResourceDefinition> = {},
  ) =>
    ((await (await life({ attributes, ...more })).apply(written)).diagnostics ?? []).map(
      ({ severity, summary, detail }) => [severity, summary, detail],
    );
  const wrong = (kind: string, detail: string) => [['error', `Invalid Attribute ${kind}`, detail]];
  const combination = (detail: string) => wrong('Combination', detail);
  const text = (
    ...validators: AttributeDefinition['validators'] & object
  ): AttributeDefinition => ({
    ...given,
    validators,
  });

  test.each<[AttributeDefinition, unknown, string, string]>([
    [
      { type: NUMBER, optional: true, validators: [atLeast(2)] },
      1,
      'Value',
      'Attribute a value must be at least 2, got: 1',
    ],
    [
      text(oneOf('x', 'y')),
      'z',
      'Value Match',
      'Attribute a value must be one of: ["x" "y"], got: "z"',
    ],
    [
      text(lengthAtLeast(3)),
      'é',
      'Value Length',
      'Attribute a string length must be at least 3, got: 2',
    ],
    [
      text(matches(/^x/, 'must begin with x')),
      'y',
      'Value Match',
      'Attribute a must begin with x, got: y',
    ],
    [
      { type: listType(STRING), optional: true, validators: [elementsAre(oneOf('x'))] },
      ['x', 'y'],
      'Value Match',
      'Attribute a[1] value must be one of: ["x"], got: "y"',
    ],
    [
      { type: listType(STRING), optional: true, validators: [sizeBetween(2, 3)] },
      ['x'],
      'Value',
      'Attribute a list must contain at least 2 elements and at most 3 elements, got: 1',
    ],
  ])('%#: a value is refused', async (a, v, kind, detail) => {
    expect(await check({ a }, { a: v })).toEqual(wrong(kind, detail));
    expect(await check({ a }, {})).toEqual([]);
  });

  test('sums are compared as far as they are written', async () => {
    const n: AttributeDefinition = { type: NUMBER, optional: true };
    const a = { ...n, validators: [atLeastSumOf('b', 'c')] };
    const attributes = { a, b: n, c: n };
    expect(await check(attributes, { a: 2, b: 2 })).toEqual([]);
    expect(await check(attributes, { a: 2, b: 2, c: 1 })).toEqual(
      wrong('Value', 'Attribute a value must be at least sum of b + c, got: 2'),
    );
  });

  test('combinations are checked', async () => {
    const pair = (a: AttributeDefinition) => ({ a, b: given });
    const one = pair(text(exactlyOneOf('a', 'b')));
    expect(await check(one, {})).toEqual(
      combination('No attribute specified when one (and only one) of [a,b] is required'),
    );
    expect(await check(one, { a: '1', b: '2' })).toEqual(
      combination('2 attributes specified when one (and only one) of [a,b] is required'),
    );
    expect(await check(one, { b: '2' })).toEqual([]);
    const some = pair(text(atLeastOneOf('b')));
    expect(await check(some, {})).toEqual(
      combination('At least one attribute out of [b,a] must be specified'),
    );
    const apart = pair(text(conflictsWith('b')));
    expect(await check(apart, { a: '1', b: '2' })).toEqual(
      combination('Attribute "b" cannot be specified when "a" is specified'),
    );
    const together = pair(text(alsoRequires('b')));
    expect(await check(together, { a: '1' })).toEqual(
      combination('Attribute "b" must be specified when "a" is specified'),
    );
    const any = { validate: requireAtLeastOneOf('a', 'b') };
    expect(await check({ a: given, b: given }, {}, any)).toEqual([
      [
        'error',
        'Missing Attribute Configuration',
        'At least one of these attributes must be configured: [a,b]',
      ],
    ]);
  });

  test('what is read-only can not be written', async () => {
    expect(await check({ made }, { made: 'x' })).toEqual([
      [
        'error',
        'Invalid Configuration for Read-Only Attribute',
        'Cannot set value for this attribute as the provider has marked it as read-only. Remove the configuration line setting the value.\n\nRefer to the provider documentation or contact the provider developers for additional information about configurable and read-only attributes that are supported.',
      ],
    ]);
  });

  test('integers are integers, of 64 bits', async () => {
    const n: AttributeDefinition = { type: NUMBER, optional: true, integer: true };
    expect(await check({ n }, { n: 3 })).toEqual([]);
    const [found] = await check({ n }, { n: 1.5 });
    expect(found?.slice(1)).toEqual([
      'Configuration Read Error',
      'An unexpected error was encountered trying to convert an attribute value from the configuration. This is always an error in the provider. Please report the following to the provider developer:\n\nError: Value %!s(*big.Float=1.5) is not an integer.',
    ]);
    const [large] = await check({ n }, { n: 1e30 });
    expect(large?.[2]).toMatch(/=1e\+30\) cannot be represented as a 64-bit integer\.$/);
  });

  test('what is deprecated is warned about where it is used', async () => {
    const old = { ...given, deprecationMessage: 'Use new.' };
    expect(await check({ old }, { old: 'x' })).toEqual([
      ['warning', 'Attribute Deprecated', 'Use new.'],
    ]);
    expect(await check({ old }, {})).toEqual([]);
    const thing = { deprecationMessage: 'Use another.' };
    expect(await check({ old }, {}, thing)).toEqual([['warning', 'Deprecated', 'Use another.']]);
  });

  test('write-only arguments need a Terraform that knows them, and are never stored', async () => {
    const secret: AttributeDefinition = { ...given, writeOnly: true };
    expect((await (await life({ attributes: { secret } })).apply({ secret: 'x' })).state).toEqual({
      secret: null,
    });
    const provider = providerOf({ attributes: { secret } });
    const { diagnostics } = await provider.validateResourceConfig({
      type: 'x_thing',
      config: object({ secret: str('x') }),
      capabilities: { ...capabilities, writeOnlyAttributesAllowed: false },
    });
    expect(diagnostics).toMatchObject([
      {
        summary: 'WriteOnly Attribute Not Allowed',
        detail:
          'The resource contains a non-null value for WriteOnly attribute secret. Write-only attributes are only supported in Terraform 1.11 and later.',
      },
    ]);
  });

  test('arguments inside blocks and arguments are checked with their paths', async () => {
    const inner = { a: text(oneOf('x')) };
    const more: Partial<ResourceDefinition> = {
      blocks: { b: { nesting: 'list', attributes: inner } },
    };
    const nested: AttributeDefinition = {
      nested: { nesting: 'map', attributes: inner },
      optional: true,
    };
    const written = { b: [{ a: 'x' }, { a: 'y' }], nested: { k: { a: 'z' } } };
    expect((await check({ nested }, written, more)).map(([, , detail]) => detail)).toEqual([
      'Attribute b[1].a value must be one of: ["x"], got: "y"',
      'Attribute nested["k"].a value must be one of: ["x"], got: "z"',
    ]);
  });
});

test('data sources, ephemeral resources, functions and the provider itself are served', async () => {
  const configured: string[] = [];
  const provider = enforceContract(
    defineProvider({
      config: {
        attributes: { name: given },
        configure: (config) => {
          configured.push(config.string('name') ?? '');
          return [];
        },
      },
      dataSources: {
        x_data: { attributes: { made }, read: (config) => ({ state: config.with({ made: 'd' }) }) },
      },
      ephemeralResources: {
        x_secret: {
          attributes: { made },
          open: (config) => ({ state: config.with({ made: 'e' }) }),
        },
      },
      functions: {
        yes: { parameters: [], returns: BOOL, call: () => ({ result: TRUE }) },
      },
    }),
    'example.com/x/x',
  );
  const config = object({ name: str('n') });
  expect((await provider.validateProviderConfig({ config })).prepared).toBe(config);
  await provider.configure({ terraformVersion: '1.11.4', config, capabilities });
  expect(configured).toEqual(['n']);
  expect(await readData(provider, 'x_data', {})).toEqual({ state: { made: 'd' } });
  expect(await openEphemeral(provider, 'x_secret', {})).toEqual({ state: { made: 'e' } });
  expect(await provider.callFunction({ name: 'yes', args: [] })).toEqual({ result: TRUE });
});

test('the schema has what the definition says', async () => {
  const map: AttributeDefinition = {
    type: mapType(NUMBER),
    optional: true,
    computed: true,
    sensitive: true,
    default: number(1),
    description: 'A map.',
    deprecationMessage: 'Old.',
  };
  const schema = await providerOf({ version: 2, attributes: { map }, description: 'D.' }).schema();
  expect(schema.resources['x_thing']).toEqual({
    version: 2,
    block: {
      description: 'D.',
      attributes: {
        map: {
          type: mapType(NUMBER),
          optional: true,
          computed: true,
          sensitive: true,
          description: 'A map.',
          deprecated: true,
        },
      },
      blocks: {},
    },
  });
});
