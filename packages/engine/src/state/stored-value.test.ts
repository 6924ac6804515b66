import { ProviderConfigAddr } from '@terrane/addresses';
import { describe, expect, it } from 'vitest';
import {
  BOOL,
  DYNAMIC,
  NUMBER,
  STRING,
  bool,
  formatPath,
  list,
  listType,
  map,
  mapType,
  nullOf,
  number,
  object,
  objectType,
  set,
  setType,
  str,
  tuple,
  tupleType,
  unknownOf,
  type Type,
  type Value,
} from '@terrane/cty';
import { valueFromFlatmap } from './flatmap.ts';
import { sensitivePathsFromJson, sensitivePathsToJson } from './sensitive-paths.ts';
import { decodeStored, encodeStored, namesNulls } from './stored-value.ts';

const REST = {
  status: 'ready' as const,
  schemaVersion: 0,
  dependencies: [],
  createBeforeDestroy: false,
  provider: ProviderConfigAddr.parse('provider["registry.terraform.io/hashicorp/null"]')!,
};

describe('a stored value', () => {
  const type = objectType({ id: STRING, any: DYNAMIC, list: listType(STRING) });

  it('is restored unchanged, with its sensitive parts', () => {
    const value = object({
      id: str('i').mark('sensitive'),
      any: object({ n: number(1), s: str('<').mark('sensitive') }),
      list: list(STRING, [str('a'), str('b').mark('sensitive')]),
    });
    const stored = encodeStored(value, type, REST);
    expect(stored.sensitivePaths.map(formatPath)).toEqual(['.any.s', '.id', '.list[1]']);
    expect(decodeStored(stored, type).rawEquals(value)).toBe(true);
  });

  it('is read without attributes that its type does not have, at any depth and sensitive or not', () => {
    const nested = objectType({ id: STRING, list: listType(objectType({ a: STRING })) });
    const stored = encodeStored(
      object({
        id: str('i'),
        list: list(objectType({ a: STRING, b: STRING }), [
          object({ a: str('a'), b: str('b').mark('sensitive') }),
        ]),
        newer: object({ secret: str('s').mark('sensitive') }),
      }),
      objectType({
        id: STRING,
        list: listType(objectType({ a: STRING, b: STRING })),
        newer: objectType({ secret: STRING }),
      }),
      REST,
    );
    const expected = object({
      id: str('i'),
      list: list(objectType({ a: STRING }), [object({ a: str('a') })]),
    });
    expect(decodeStored(stored, nested).rawEquals(expected)).toBe(true);
  });

  it('is refused where an attribute is of another type', () => {
    const stored = { ...REST, attributesJson: '{"id":["i"],"newer":1}', sensitivePaths: [] };
    expect(() => decodeStored(stored, type)).toThrow('string is required');
  });

  it('contains null for unknown values, and no marks but sensitive ones', () => {
    const value = object({
      id: unknownOf(STRING).mark('ephemeral'),
      any: tuple([unknownOf(NUMBER)]),
      list: unknownOf(listType(STRING)).mark('sensitive'),
    });
    const stored = encodeStored(value, type, REST);
    expect(stored.attributesJson).toBe(
      '{"any":{"value":[null],"type":["tuple",["number"]]},"id":null,"list":null}',
    );
    expect(stored.sensitivePaths.map(formatPath)).toEqual(['.list']);
  });

  it('of another type is refused', () => {
    const stored = encodeStored(object({ id: str('x') }), objectType({ id: STRING }), REST);
    expect(() => decodeStored(stored, objectType({ id: NUMBER }))).toThrow('a number is required');
  });
});

describe('paths of sensitive attributes', () => {
  it('are read and written as in statefiles', () => {
    const text =
      '[[{"type":"get_attr","value":"a<"},{"type":"index","value":{"value":0,"type":"number"}}],[{"type":"index","value":{"value":"k","type":"string"}}]]';
    const { paths, diagnostics } = sensitivePathsFromJson(text);
    expect(diagnostics).toEqual([]);
    expect(paths.map(formatPath)).toEqual(['.a<[0]', '["k"]']);
    expect(sensitivePathsToJson(paths)).toBe(text.replace('<', '\\u003c'));
  });

  it.each([
    ['[[{"type":"new","value":1}]]', 'Unsupported path step', 'Unsupported path step type "new"'],
    [
      '[[{"type":"get_attr","value":1}]]',
      'Error unmarshaling path step',
      'Failed to unmarshal get attr step name: json: cannot unmarshal number into Go value of type string',
    ],
  ])('are refused: %s', (text, summary, detail) => {
    const { paths, diagnostics } = sensitivePathsFromJson(text);
    expect(paths).toEqual([]);
    expect(diagnostics.map((d) => [d.summary, d.detail])).toEqual([[summary, detail]]);
  });
});

describe('flat attributes of states before 0.12', () => {
  it.each<[string, Type, Record<string, string>, Value]>([
    ['string', STRING, { a: 'x' }, str('x')],
    ['number', NUMBER, { a: '1.5' }, number(1.5)],
    ['bool', BOOL, { a: 'true' }, bool(true)],
    ['absent', STRING, {}, nullOf(STRING)],
    ['unknown', STRING, { a: '74D93920-ED26-11E3-AC10-0800200C9A66' }, unknownOf(STRING)],
    [
      'list',
      listType(STRING),
      { 'a.#': '2', 'a.0': 'x', 'a.1': 'y' },
      list(STRING, [str('x'), str('y')]),
    ],
    ['empty list', listType(STRING), { 'a.#': '0' }, list(STRING, [])],
    ['absent list', listType(STRING), {}, nullOf(listType(STRING))],
    ['map', mapType(STRING), { 'a.%': '1', 'a.k.l': 'x' }, map(STRING, [['k.l', str('x')]])],
    ['set', setType(STRING), { 'a.#': '1', 'a.123': 'x' }, set(STRING, [str('x')])],
    [
      'set of objects',
      setType(objectType({ b: STRING })),
      { 'a.#': '1', 'a.123.b': 'x' },
      set(objectType({ b: STRING }), [object({ b: str('x') })]),
    ],
    [
      'set of an object without attributes',
      setType(objectType({ b: STRING })),
      { 'a.#': '1' },
      set(objectType({ b: STRING }), [object({ b: nullOf(STRING) })]),
    ],
    [
      'tuple',
      tupleType([STRING, NUMBER]),
      { 'a.#': '2', 'a.0': 'x', 'a.1': '2' },
      tuple([str('x'), number(2)]),
    ],
  ])('%s', (_name, type, flat, expected) => {
    const value = valueFromFlatmap(flat, objectType({ a: type }));
    expect(value.attr('a').rawEquals(expected)).toBe(true);
  });

  it.each([
    [NUMBER, { a: 'x' }, 'invalid value for "a" in state: a number is required'],
    [
      tupleType([STRING]),
      { 'a.#': '2' },
      'wrong number of values for "a." in state: got 2, but need 1',
    ],
    [
      listType(STRING),
      { 'a.#': 'x' },
      'invalid count value for "a." in state: strconv.Atoi: parsing "x": invalid syntax',
    ],
  ])('that do not fit are refused: %#', (type, flat, message) => {
    expect(() => valueFromFlatmap(flat, objectType({ a: type }))).toThrow(message);
  });
});

describe('the null attributes of a stored object', () => {
  const type = objectType({ a: STRING, b: STRING, c: STRING });
  const value = object({ a: nullOf(STRING), b: str('b'), c: nullOf(STRING) });

  it.each([
    ['{"a":null,"b":"b","c":null}', true],
    ['{"a": null, "b": "b", "c": null}', true],
    ['{"c":null,"b":"b","a":null}', true],
    ['{"a":{"c":"x"},"c":null,"a":null}', true],
    ['{"a":null,"b":"b"}', false],
    ['{"b":"b","c":null}', false],
    ['{"a":null,"b":"b","c":"null"}', false],
    ['{}', false],
  ])('in %s are named: %s', (json, isNamed) => {
    expect(namesNulls(json, value)).toBe(isNamed);
  });

  it('are not searched for if the object is null', () => {
    expect(namesNulls('null', nullOf(type))).toBe(true);
  });
});
