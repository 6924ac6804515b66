import {
  list as listOf,
  mapType,
  nullOf,
  NUMBER,
  object,
  objectType,
  set as setOf,
  str,
  STRING,
  TRUE,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { enforceContract } from '../enforce/enforce-contract.ts';
import type { CheckedProvider } from '../enforce/enforce-contract.ts';
import { proposedNew } from '../change/proposed-new.ts';
import { describePath, describeValue } from '../go-syntax/describe.ts';
import { openEphemeral, readData, ResourceLife } from '../testing/index.ts';
import type { Step, Written } from '../testing/index.ts';
import {
  alsoRequires,
  atLeast,
  atLeastOneConfigured,
  atLeastOneOf,
  atLeastSumOf,
  atMost,
  between,
  bool,
  conflicting,
  conflictsWith,
  dataSource,
  defineProvider,
  elementsAre,
  ephemeralResource,
  exactlyOneConfigured,
  exactlyOneOf,
  gone,
  int64,
  isUnknown,
  lengthAtLeast,
  lengthBetween,
  list,
  listBlock,
  listNested,
  map,
  mapNested,
  matches,
  number,
  oneOf,
  providerFunction,
  ProviderError,
  requiredTogether,
  requiresReplaceIf,
  resource,
  setBlock,
  sizeBetween,
  string,
  upgradeFrom,
} from './index.ts';
import type { Attribute, AttributeOptions, Resource } from './index.ts';
import { resourceOf } from './resource.ts';

const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

function checked(thing: Resource): CheckedProvider {
  return enforceContract(defineProvider({ resources: { x_thing: thing } }), 'example.com/x/x');
}

/** A resource that generates unknown values, from options whose types are irrelevant. */
function thingOf(options: object): Resource {
  const create = ({ plan }: { readonly plan: object }) =>
    Object.fromEntries(
      Object.entries(plan).map(([name, value]) => [name, isUnknown(value) ? 'made' : value]),
    );
  return resourceOf({ create, ...options });
}

const providerOf = (options: object) => checked(thingOf(options));
const life = (options: object) => ResourceLife.of(providerOf(options), 'x_thing');
const lifeOf = (thing: Resource) => ResourceLife.of(checked(thing), 'x_thing');

const given = string({ optional: true });
const made = string({ computed: true });

describe('planning', () => {
  test('computed values are unknown if anything changes', async () => {
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

  test('a default is planned if the argument is not configured', async () => {
    const d = string({ default: 'd' });
    const object = await life({ attributes: { d } });
    expect(await object.apply({})).toEqual({ action: 'create', state: { d: 'd' } });
    expect((await object.apply({ d: 'other' })).state).toEqual({ d: 'other' });
    expect((await object.apply({})).state).toEqual({ d: 'd' });
  });

  test('state is used for unknown values, unless the configured value is unknown', async () => {
    const both = string({ optional: true, computed: true, useStateForUnknown: true });
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
      always: string({ optional: true, requiresReplace: true }),
      grown: int64({
        optional: true,
        planModifiers: [
          requiresReplaceIf(({ planValue, stateValue }) => planValue.asInt() < stateValue.asInt()),
        ],
      }),
    };
    const object = await life({ attributes });
    expect((await object.apply({ always: 'a', grown: 1 })).action).toBe('create');
    expect((await object.apply({ always: 'a', grown: 2 })).action).toBe('update');
    expect((await object.apply({ always: 'a', grown: 1 })).action).toBe('replace');
    expect((await object.apply({ always: 'b', grown: 1 })).action).toBe('replace');
  });

  test('nested attributes and blocks are treated likewise, with their paths', async () => {
    const inner = { given: string({ optional: true, requiresReplace: true }), made };
    const provider = providerOf({
      attributes: { nested: listNested(inner, { optional: true }) },
      blocks: { block: setBlock(inner) },
    });
    const none = nullOf(STRING);
    const type = objectType({ given: STRING, made: STRING });
    const i = (g: string, m: Value = none) => object({ given: str(g), made: m });
    const o = (nested: Value[], block: Value[]) =>
      object({ nested: listOf(type, nested), block: setOf(type, block) });
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

  test('a resource can change and reject a plan', async () => {
    const object = await lifeOf(
      resource({
        attributes: { given, made },
        modifyPlan: ({ plan, isNew }) => {
          if (plan.given === 'bad') throw new ProviderError('Bad', 'No.', 'given');
          return isNew ? undefined : { made: 'planned' };
        },
        create: ({ plan }) => ({ ...plan, made: 'made' }),
        update: ({ plan }) => ({ ...plan, made: 'planned' }),
      }),
    );
    expect((await object.apply({ given: 'a' })).state).toEqual({ given: 'a', made: 'made' });
    expect((await object.apply({ given: 'b' })).state).toEqual({ given: 'b', made: 'planned' });
    expect((await object.apply({ given: 'bad' })).diagnostics).toEqual([
      { severity: 'error', summary: 'Bad', detail: 'No.' },
    ]);
  });
});

describe('applying', () => {
  test('an update without a handler stores the plan; a failed step keeps the prior object', async () => {
    let fail = false;
    const object = await lifeOf(
      resource({
        attributes: { given },
        create: ({ plan }) => plan,
        delete: () => {
          if (fail) throw new ProviderError('Failed', 'So.');
        },
        read: ({ state }) => (fail ? gone : state),
      }),
    );
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
});

describe('stored objects', () => {
  const upgraders = {
    0: upgradeFrom({ attributes: { old: given } }, ({ old }) => ({ given: old })),
  };
  const current = { version: 1, attributes: { given }, upgraders };

  test('of the current version are read, without unknown attributes', async () => {
    expect(await (await life(current)).upgrade({ given: 'a', gone: 1 }, 1)).toEqual({
      state: { given: 'a' },
    });
  });

  test('of an older version are upgraded', async () => {
    expect(await (await life(current)).upgrade({ old: 'a' }, 0)).toEqual({ state: { given: 'a' } });
  });

  const detail = async (step: Promise<Step>) => {
    const [diagnostic] = (await step).diagnostics ?? [];
    return [diagnostic?.summary, diagnostic?.detail];
  };

  test('that do not fit are reported', async () => {
    const [summary, text] = await detail((await life(current)).upgrade({ given: [] }, 1));
    expect(summary).toBe('Unable to Read Previously Saved State for UpgradeResourceState');
    expect(text).toMatch(/AttributeName\("given"\): /);
  });

  test.each([
    [current, 'with'],
    [{ attributes: { given }, version: 1 }, 'without'],
  ])('of a version without upgrader are reported: %#', async (thing, how) => {
    expect(await detail((await life(thing)).upgrade({}, 7))).toEqual([
      'Unable to Upgrade Resource State',
      `This resource was implemented ${how} an UpgradeState() method, however Terraform was expecting an implementation for version 7 upgrade.\n\nThis is always an issue with the Terraform Provider and should be reported to the provider developer.`,
    ]);
  });
});

describe('validation', () => {
  const check = async (
    attributes: Readonly<Record<string, Attribute>>,
    written: Written,
    more: object = {},
  ) =>
    ((await (await life({ attributes, ...more })).apply(written)).diagnostics ?? []).map(
      ({ severity, summary, detail }) => [severity, summary, detail],
    );
  const wrong = (kind: string, detail: string) => [['error', `Invalid Attribute ${kind}`, detail]];
  const combination = (detail: string) => wrong('Combination', detail);
  const text = (...validators: NonNullable<AttributeOptions<string>['validators']>) =>
    string({ optional: true, validators });

  test.each<[Attribute, unknown, string, string]>([
    [
      number({ optional: true, validators: [atLeast(2)] }),
      1,
      'Value',
      'Attribute a value must be at least 2, got: 1',
    ],
    [
      number({ optional: true, validators: [atMost(2)] }),
      2.5,
      'Value',
      'Attribute a value must be at most 2, got: 2.5',
    ],
    [
      number({ optional: true, validators: [between(1, 2)] }),
      3,
      'Value',
      'Attribute a value must be between 1 and 2, got: 3',
    ],
    [
      text(lengthBetween(1, 2)),
      'abc',
      'Value Length',
      'Attribute a string length must be between 1 and 2, got: 3',
    ],
    [
      text((value) => (value === 'x' ? 'must not be x' : undefined)),
      'x',
      'Value',
      'Attribute a must not be x',
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
      list(string, { optional: true, validators: [elementsAre(oneOf('x'))] }),
      ['x', 'y'],
      'Value Match',
      'Attribute a[1] value must be one of: ["x"], got: "y"',
    ],
    [
      list(string, { optional: true, validators: [sizeBetween(2, 3)] }),
      ['x'],
      'Value',
      'Attribute a list must contain at least 2 elements and at most 3 elements, got: 1',
    ],
  ])('%#: a value is rejected', async (a, v, kind, detail) => {
    expect(await check({ a }, { a: v })).toEqual(wrong(kind, detail));
    expect(await check({ a }, {})).toEqual([]);
  });

  test('sums are compared if they are configured', async () => {
    const n = int64({ optional: true });
    const a = int64({ optional: true, validators: [atLeastSumOf('b', 'c')] });
    const attributes = { a, b: n, c: n };
    expect(await check(attributes, { a: 2, b: 2 })).toEqual([]);
    expect(await check(attributes, { a: 2, b: 2, c: 1 })).toEqual(
      wrong('Value', 'Attribute a value must be at least sum of b + c, got: 2'),
    );
  });

  test('combinations are checked', async () => {
    const pair = (a: Attribute) => ({ a, b: given });
    const exactlyOne = pair(text(exactlyOneOf('a', 'b')));
    expect(await check(exactlyOne, {})).toEqual(
      combination('No attribute specified when one (and only one) of [a,b] is required'),
    );
    expect(await check(exactlyOne, { a: '1', b: '2' })).toEqual(
      combination('2 attributes specified when one (and only one) of [a,b] is required'),
    );
    expect(await check(exactlyOne, { b: '2' })).toEqual([]);
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
    const both = { a: given, b: given };
    const any = { validators: [atLeastOneConfigured('a', 'b')] };
    expect(await check(both, {}, any)).toEqual([
      [
        'error',
        'Missing Attribute Configuration',
        'At least one of these attributes must be configured: [a,b]',
      ],
    ]);
    const not = { validators: [conflicting('a', 'b')] };
    expect(await check(both, { a: '1' }, not)).toEqual([]);
    expect(await check(both, { a: '1', b: '2' }, not)).toEqual(
      combination('These attributes cannot be configured together: [a,b]'),
    );
    const exactly = { validators: [exactlyOneConfigured('a', 'b')] };
    const oneOfThem = 'Exactly one of these attributes must be configured: [a,b]';
    expect(await check(both, {}, exactly)).toEqual([
      ['error', 'Missing Attribute Configuration', oneOfThem],
    ]);
    expect(await check(both, { a: '1', b: '2' }, exactly)).toEqual(combination(oneOfThem));
    const all = { validators: [requiredTogether('a', 'b')] };
    expect(await check(both, {}, all)).toEqual([]);
    expect(await check(both, { a: '1' }, all)).toEqual(
      combination('These attributes must be configured together: [a,b]'),
    );
  });

  test('read-only attributes cannot be configured', async () => {
    expect(await check({ made }, { made: 'x' })).toEqual([
      [
        'error',
        'Invalid Configuration for Read-Only Attribute',
        'Cannot set value for this attribute as the provider has marked it as read-only. Remove the configuration line setting the value.\n\nRefer to the provider documentation or contact the provider developers for additional information about configurable and read-only attributes that are supported.',
      ],
    ]);
  });

  test('integers are integers, of 64 bits', async () => {
    const n = int64({ optional: true });
    expect(await check({ n }, { n: 3 })).toEqual([]);
    const [diagnostic] = await check({ n }, { n: 1.5 });
    expect(diagnostic?.slice(1)).toEqual([
      'Configuration Read Error',
      'An unexpected error was encountered trying to convert an attribute value from the configuration. This is always an error in the provider. Please report the following to the provider developer:\n\nError: Value %!s(*big.Float=1.5) is not an integer.',
    ]);
    const [large] = await check({ n }, { n: 1e30 });
    expect(large?.[2]).toMatch(/=1e\+30\) cannot be represented as a 64-bit integer\.$/);
  });

  test('use of deprecated attributes is reported as a warning', async () => {
    const old = string({ optional: true, deprecationMessage: 'Use new.' });
    expect(await check({ old }, { old: 'x' })).toEqual([
      ['warning', 'Attribute Deprecated', 'Use new.'],
    ]);
    expect(await check({ old }, {})).toEqual([]);
    const thing = { deprecationMessage: 'Use another.' };
    expect(await check({ old }, {}, thing)).toEqual([['warning', 'Deprecated', 'Use another.']]);
  });

  test('write-only arguments need a Terraform that supports them, and are never stored', async () => {
    const secret = string({ optional: true, writeOnly: true });
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
    const inner = { a: string({ optional: true, validators: [oneOf('x')] }) };
    const more = { blocks: { b: listBlock(inner) } };
    const nested = mapNested(inner, { optional: true });
    const written = { b: [{ a: 'x' }, { a: 'y' }], nested: { k: { a: 'z' } } };
    expect((await check({ nested }, written, more)).map(([, , detail]) => detail)).toEqual([
      'Attribute b[1].a value must be one of: ["x"], got: "y"',
      'Attribute nested["k"].a value must be one of: ["x"], got: "z"',
    ]);
  });
});

test('data sources, ephemeral resources, functions and the provider itself are served', async () => {
  const configured: unknown[] = [];
  const provider = enforceContract(
    defineProvider({
      config: {
        attributes: { name: given },
      },
      configure: ({ config }) => {
        configured.push(config.name);
        return {};
      },
      dataSources: {
        x_data: dataSource({ attributes: { made }, read: () => ({ made: 'd' }) }),
      },
      ephemeralResources: {
        x_secret: ephemeralResource({ attributes: { made }, open: () => ({ made: 'e' }) }),
      },
      functions: { yes: providerFunction({ returns: bool, call: () => true }) },
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

test('the schema corresponds to the definition', async () => {
  const numbers = map(number, {
    sensitive: true,
    default: {},
    description: 'A map.',
    deprecationMessage: 'Old.',
  });
  const options = { version: 2, attributes: { map: numbers }, description: 'D.' };
  const schema = await providerOf(options).schema();
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
