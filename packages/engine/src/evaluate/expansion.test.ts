import { UNKNOWN_KEY } from '@terrane/addresses';
import {
  list,
  map,
  nullOf,
  number,
  NUMBER,
  set,
  STRING,
  str,
  tuple,
  UNKNOWN,
  unknownOf,
  mapType,
  setType,
  DYNAMIC,
  type Value,
  bool,
  object,
  NULL,
} from '@terrane/cty';
import {
  constantScope,
  type Diagnostic,
  type Expression,
  parseExpression,
  Source,
} from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { evaluateExpansion } from './expansion.ts';
import { type Expansion, keysOf, repetitionOf, repetitionOfKey, SINGLE } from './repetition.ts';

const expression: Expression = (() => {
  const { expression: parsed } = parseExpression(new Source('main.tf', 'v'));
  if (parsed === undefined) throw new Error('no expression');
  return parsed;
})();

function expand(
  by: 'count' | 'forEach',
  value: Value,
  validating = false,
): { readonly expansion: Expansion | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const at = by === 'count' ? { count: expression } : { forEach: expression };
  const expansion = evaluateExpansion(at, constantScope({ v: value }), validating, diagnostics);
  return { expansion, diagnostics };
}

const ephemeral = (value: Value): Value => value.mark('ephemeral');
const sensitive = (value: Value): Value => value.mark('sensitive');
const strings = (...texts: string[]): Value =>
  set(
    STRING,
    texts.map((text) => str(text)),
  );

const BAD_COUNT = 'Invalid count argument';
const BAD_EACH = 'Invalid for_each argument';
const BAD_SET = 'Invalid for_each set argument';
const EACH = 'The given "for_each" argument value is unsuitable: ';
const WORK_AROUND = "\n\nWhen working with unknown values in for_each, it's better to";
const TARGET =
  '\n\nAlternatively, you could use the -target planning option to first apply only the resources that the for_each value depends on, and then apply a second time to fully converge.';

describe('count', () => {
  it.each<[string, Value, number]>([
    ['zero', number(0), 0],
    ['a number', number(3), 3],
    ['a text that is a number', str('2'), 2],
    ['a sensitive number', sensitive(number(1)), 1],
  ])('of %s gives that many instances', (_what, value, count) => {
    expect(expand('count', value)).toEqual({
      expansion: { kind: 'count', count },
      diagnostics: [],
    });
  });

  it.each<[string, Value, string, string]>([
    [
      'a fraction',
      number(1.5),
      BAD_COUNT,
      'The given "count" argument value is unsuitable: value must be a whole number, between -9223372036854775808 and 9223372036854775807.',
    ],
    [
      'a number out of range',
      number(1e30),
      BAD_COUNT,
      'The given "count" argument value is unsuitable: value must be a whole number, between -9223372036854775808 and 9223372036854775807.',
    ],
    [
      'less than nothing',
      number(-1),
      BAD_COUNT,
      'The given "count" argument value is unsuitable: must be greater than or equal to zero.',
    ],
    ['null', NULL, BAD_COUNT, 'The given "count" argument value is null. An integer is required.'],
    [
      'a null number',
      nullOf(NUMBER),
      BAD_COUNT,
      'The given "count" argument value is null. An integer is required.',
    ],
    ['a word', str('x'), 'Incorrect value type', 'Invalid expression value: a number is required.'],
    ['a list', tuple([]), 'Incorrect value type', 'Invalid expression value: number required.'],
    [
      'a truth value',
      bool(true),
      'Incorrect value type',
      'Invalid expression value: number required.',
    ],
    [
      'an ephemeral number',
      ephemeral(number(1)),
      BAD_COUNT,
      'The given "count" is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify the number of resource instances.',
    ],
    [
      'something unknown',
      UNKNOWN,
      BAD_COUNT,
      'The "count" value depends on resource attributes that cannot be determined until apply, so Terraform cannot predict how many instances will be created. To work around this, use the -target argument to first apply only the resources that the count depends on.',
    ],
  ])('of %s is an error', (_what, value, summary, detail) => {
    const { expansion, diagnostics } = expand('count', value);
    expect(expansion).toBeUndefined();
    expect(
      diagnostics.map((diagnostic) => [diagnostic.severity, diagnostic.summary, diagnostic.detail]),
    ).toEqual([['error', summary, detail]]);
  });

  it('may be unknown while validating, without any assumption about the count', () => {
    expect(expand('count', UNKNOWN, true).expansion).toEqual({ kind: 'unknown', by: 'count' });
    expect(expand('count', number(2), true).expansion).toEqual({ kind: 'unknown', by: 'count' });
    expect(expand('count', number(-2), true).diagnostics).toHaveLength(1);
  });
});

describe('for_each', () => {
  it.each<[string, Value, readonly string[]]>([
    ['a set of strings', strings('b', 'a'), ['a', 'b']],
    [
      'a map',
      map(
        NUMBER,
        new Map([
          ['y', number(1)],
          ['x', number(2)],
        ]),
      ),
      ['x', 'y'],
    ],
    ['an object', object(new Map([['k', number(1)]])), ['k']],
    ['a map of unknown values', map(STRING, new Map([['k', unknownOf(STRING)]])), ['k']],
    ['an empty set of anything', set(DYNAMIC, []), []],
    ['a map with sensitive values', map(STRING, new Map([['k', sensitive(str('v'))]])), ['k']],
  ])('of %s gives an instance for each key', (_what, value, keys) => {
    const { expansion, diagnostics } = expand('forEach', value);
    expect(diagnostics).toEqual([]);
    expect(expansion?.kind).toBe('forEach');
    expect(expansion === undefined ? [] : keysOf(expansion)).toEqual(keys);
  });

  it.each<[string, Value, string, string]>([
    [
      'null',
      NULL,
      BAD_EACH,
      `${EACH}the given "for_each" argument value is null. A map, or set of strings is allowed.`,
    ],
    [
      'a number',
      number(1),
      BAD_EACH,
      `${EACH}the "for_each" argument must be a map, or set of strings, and you have provided a value of type number.`,
    ],
    [
      'a tuple',
      tuple([str('a')]),
      BAD_EACH,
      `${EACH}the "for_each" argument must be a map, or set of strings, and you have provided a value of type tuple.`,
    ],
    [
      'a list',
      list(STRING, [str('a')]),
      BAD_EACH,
      `${EACH}the "for_each" argument must be a map, or set of strings, and you have provided a value of type list of string.`,
    ],
    [
      'a set of numbers',
      set(NUMBER, [number(1)]),
      BAD_SET,
      `${EACH}"for_each" supports maps and sets of strings, but you have provided a set containing type number.`,
    ],
    [
      'a set with null',
      set(STRING, [nullOf(STRING)]),
      BAD_SET,
      `${EACH}"for_each" sets must not contain null values.`,
    ],
    [
      'a sensitive map',
      sensitive(map(STRING, new Map())),
      BAD_EACH,
      'Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the sensitive value could be exposed as a resource instance key.',
    ],
    [
      'an ephemeral map',
      ephemeral(map(STRING, new Map())),
      BAD_EACH,
      'The given "for_each" value is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify a resource\'s instance keys.',
    ],
    [
      'an unknown map',
      unknownOf(mapType(STRING)),
      BAD_EACH,
      `The "for_each" map includes keys derived from resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of keys that will identify the instances of this resource.${WORK_AROUND} define the map keys statically in your configuration and place apply-time results only in the map values.${TARGET}`,
    ],
    [
      'a set with something unknown',
      set(STRING, [unknownOf(STRING)]),
      BAD_EACH,
      `The "for_each" set includes values derived from resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of keys that will identify the instances of this resource.${WORK_AROUND} use a map value where the keys are defined statically in your configuration and where only the values contain apply-time results.${TARGET}`,
    ],
  ])('of %s is an error', (_what, value, summary, detail) => {
    const { expansion, diagnostics } = expand('forEach', value);
    expect(expansion).toBeUndefined();
    expect(
      diagnostics.map((diagnostic) => [diagnostic.severity, diagnostic.summary, diagnostic.detail]),
    ).toEqual([['error', summary, detail]]);
  });

  it('may be unknown while validating, but not of a wrong type', () => {
    for (const value of [UNKNOWN, unknownOf(setType(STRING)), strings('a')]) {
      expect(expand('forEach', value, true)).toEqual({
        expansion: { kind: 'unknown', by: 'forEach' },
        diagnostics: [],
      });
    }
    expect(
      expand('forEach', unknownOf(NUMBER), true).diagnostics.map(
        (diagnostic) => diagnostic.summary,
      ),
    ).toEqual([BAD_EACH]);
  });
});

describe('count and each in an instance', () => {
  const each: Expansion = { kind: 'forEach', each: new Map([['k', str('v')]]) };

  it('is nothing where nothing repeats', () => {
    expect(evaluateExpansion({}, constantScope({}), false, [])).toBe(SINGLE);
    expect(keysOf(SINGLE)).toEqual([undefined]);
    expect(repetitionOf(SINGLE, undefined)).toEqual({});
  });

  it('is the index, or the key and its value', () => {
    expect(repetitionOf({ kind: 'count', count: 3 }, 2).countIndex?.asInt()).toBe(2);
    expect(repetitionOf(each, 'k').eachKey?.asString()).toBe('k');
    expect(repetitionOf(each, 'k').eachValue?.asString()).toBe('v');
  });

  it('is unknown, but not null, where the instances are', () => {
    expect(keysOf({ kind: 'unknown', by: 'count' })).toEqual([UNKNOWN_KEY]);
    const { countIndex } = repetitionOf({ kind: 'unknown', by: 'count' }, undefined);
    expect(countIndex?.isKnown).toBe(false);
    const { eachKey, eachValue } = repetitionOf({ kind: 'unknown', by: 'forEach' }, undefined);
    expect([eachKey?.isKnown, eachValue?.isKnown]).toEqual([false, false]);
  });

  it('is without a value where only the key is known', () => {
    expect(repetitionOfKey(1).countIndex?.asInt()).toBe(1);
    expect(repetitionOfKey('k').eachKey?.asString()).toBe('k');
    expect(repetitionOfKey('k').eachValue?.isKnown).toBe(false);
    expect(repetitionOfKey(undefined)).toEqual({});
  });
});
