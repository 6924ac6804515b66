import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonTemplates } from './json-template.ts';
import {
  CtyError,
  DYNAMIC,
  listType,
  NUMBER,
  objectType,
  STRING,
  type Type,
  type Value,
  valueFromJson,
  valueToJson,
} from './index.ts';
import { types, valuesOf } from './testing/arbitraries.ts';

/** Returns the templates of a type after texts of which each became one. */
function templatesOf(type: Type, ...texts: readonly string[]): JsonTemplates {
  const templates = new JsonTemplates(type);
  for (let i = 0; i < 100; i++) templates.add('{}');
  for (const text of texts) templates.add(text);
  return templates;
}

const THING = objectType({ id: STRING, size: NUMBER, any: DYNAMIC, tags: listType(STRING) });
const thing = (id: string, size: string, any: string): string =>
  `{"any":${any},"id":${JSON.stringify(id)},"size":${size},"tags":["a",${JSON.stringify(id)}]}`;
const text = (s: string): string => `{"value":${JSON.stringify(s)},"type":"string"}`;
const SAMPLE = thing('x', '1', text('y'));

describe('templates of JSON texts', () => {
  it.each([
    ['the sample', SAMPLE],
    ['other strings and numbers', thing('a longer text than thirteen', '-2.50e3', text('z'))],
    ['escapes', thing('a"b\\c\n\u2028', '0', text('\ud83d\ude00'))],
    ['lone surrogates', thing('x', '1', '{"value":"\\ud800","type":"string"}')],
    ['characters to be normalised', thing('e\u0301', '1', text('e\u0301'))],
    ['precise numbers', thing('x', '12345678901234567890.000000000000001', text('y'))],
    ['text after the object', `${SAMPLE} and more`],
  ])('decode %s', (_, json) => {
    const value = templatesOf(THING, SAMPLE).read(json);
    expect(value?.rawEquals(valueFromJson(json, THING))).toBe(true);
  });

  it.each([
    ['another type', thing('x', '1', '{"value":"y","type":"number"}')],
    ['null for a string', thing('x', '1', text('y')).replace('"id":"x"', '"id":null')],
    ['null for a number', thing('x', 'null', text('y'))],
    ['another number of elements', SAMPLE.replace('["a",', '["a","b",')],
    ['other white space', SAMPLE.replace(',', ', ')],
    ['duplicate names', SAMPLE.replace('"size"', '"id":"y","size"')],
    ['a number with a leading zero', thing('x', '01', text('y'))],
    ['an invalid escape', SAMPLE.replace('"id":"x"', String.raw`"id":"\x"`)],
    ['a control character', SAMPLE.replace('"id":"x"', '"id":"\n"')],
    ['the end within a string', SAMPLE.slice(0, SAMPLE.indexOf('"x"') + 2)],
    ['the end', SAMPLE.slice(0, -1)],
  ])('leave %s to the parser', (_, json) => {
    expect(templatesOf(THING, SAMPLE).read(json)).toBeUndefined();
  });

  it('do not contain duplicate names, whose last value applies', () => {
    for (const json of [
      '{"id":"a","id":"b"}',
      '{"any":{"value":"a","value":"b","type":"string"}}',
      '{"any":{"value":"a","type":"string","type":"string"}}',
    ]) {
      expect(templatesOf(THING, json).read(json)).toBeUndefined();
    }
  });

  it('are replaced by later ones, and given up if they rarely match', () => {
    const shapes = Array.from({ length: 30 }, (_, i) => `{${' '.repeat(i)}"id":"x"}`);
    const templates = templatesOf(THING, ...shapes.slice(0, 5));
    expect(shapes.slice(0, 5).map((json) => templates.read(json) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    for (const json of shapes) templates.add(json);
    expect(shapes.filter((json) => templates.read(json) !== undefined)).toEqual([]);
  });

  it('change neither values nor errors of large numbers of texts', () => {
    const type = objectType({ many: STRING, size: NUMBER });
    const texts = Array.from({ length: 500 }, (_, i) => `{"many":"value ${i}","size":${i}}`);
    const wrong = '{"many":"x","size":"y"}';
    const outcome = (json: string): Value | string => {
      try {
        return valueFromJson(json, type);
      } catch (error) {
        return String(error);
      }
    };
    const before = [wrong, '{"many":"x\\q"}', '{"many":"x","size":1'].map(outcome);
    const values = texts.map((json) => valueFromJson(json, type));
    expect(values.map((value) => value.attr('many').asString())).toEqual(
      texts.map((_, i) => `value ${i}`),
    );
    expect([wrong, '{"many":"x\\q"}', '{"many":"x","size":1'].map(outcome)).toEqual(before);
  });

  it('decode a text as the parser does, or not at all', () => {
    let count = 0;
    // A type of its own for each sample, so that the parser decodes the expected values.
    const samples = types.chain((type) =>
      fc.tuple(fc.constant(type), valuesOf(type, false), valuesOf(type, false)),
    );
    const change = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.constantFrom(...EDITS),
    });
    fc.assert(
      fc.property(samples, change, ([inner, a, b], { at, remove, insert }) => {
        const type = objectType({ [`own${count++}`]: inner, text: STRING });
        const [own = ''] = type.names;
        const json = (value: Value, name: string): string =>
          `{"${own}":${valueToJson(value, inner)},"text":${JSON.stringify(name)}}`;
        const other = json(b, 'other');
        const position = at % other.length;
        const edited = other.slice(0, position) + insert + other.slice(position + remove);
        for (const each of [json(a, 'same'), other, edited]) {
          const read = templatesOf(type, json(a, 'sample')).read(each);
          const expected = parsed(each, type);
          if (read !== undefined && expected?.rawEquals(read) !== true) {
            throw new Error(`${each} was decoded differently`);
          }
        }
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

const EDITS = ['', ' ', '"', '\\', '0', '-', '.5', 'null', '{', '}', '[', ']', ',', ':', '\u0001'];

function parsed(json: string, type: Type): Value | undefined {
  try {
    return valueFromJson(json, type);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}
