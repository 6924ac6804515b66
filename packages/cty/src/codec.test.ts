import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import {
  CtyError,
  decodeMsgpack,
  DYNAMIC,
  encodeMsgpack,
  formatNumber,
  impliedJsonType,
  JsonSyntaxError,
  list,
  listType,
  map,
  mapType,
  NUMBER,
  number,
  object,
  objectType,
  parseJson,
  parseNumber,
  pathKey,
  set,
  setType,
  str,
  STRING,
  TRUE,
  tuple,
  tupleType,
  type Type,
  typeFromJson,
  typeToJson,
  typeToJsonText,
  typeToString,
  unknownOf,
  type Value,
  valueFromJson,
  valueFromJsonNode,
  valueToJson,
} from './index.ts';

const thrown = (run: () => unknown): CtyError => {
  try {
    run();
  } catch (error) {
    if (error instanceof CtyError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};
const hex = (v: Value, type: Type): string => Buffer.from(encodeMsgpack(v, type)).toString('hex');
const big = (text: string): Value => number(parseNumber(text) ?? 0);

describe('JSON text', () => {
  it.each([
    ['', 'EOF', 0],
    ['[1', 'EOF', 2],
    ['"a', 'unexpected EOF', 2],
    ['tru', 'unexpected EOF', 3],
    ['{nul}', "invalid character 'n'", 1],
    ['{"a":1,b}', "invalid character 'b' looking for beginning of object key string", 7],
    ['{"a" 1}', "invalid character '1' after object key", 5],
    ['{"a":1 2}', "invalid character '2' after object key:value pair", 7],
    ['[1 2]', "invalid character '2' after array element", 3],
    ['[1,]', "invalid character ']' looking for beginning of value", 3],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')", 8],
    ['"\\x"', "invalid character 'x' in string escape code", 2],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape", 5],
    ['"a\nb"', "invalid character '\\n' in string literal", 2],
    ['-a', "invalid character 'a' in numeric literal", 1],
    ['1.x', "invalid character 'x' after decimal point in numeric literal", 2],
    ['1ex', "invalid character 'x' in exponent of numeric literal", 2],
    ['é', "invalid character 'Ã' looking for beginning of value", 0],
    ['1 2', 'extraneous data after JSON object', 2],
  ])('%j is rejected: %s at %i', (text, message, offset) => {
    const error = thrown(() => parseJson(text));
    expect(error).toBeInstanceOf(JsonSyntaxError);
    expect([error.message, (error as JsonSyntaxError).offset]).toEqual([message, offset]);
  });

  it('keeps numbers as written and the last of equal keys', () => {
    const node = parseJson('{"a":1,"a":1.500e0,"b":12345678901234567890}') as ReadonlyMap<
      string,
      unknown
    >;
    expect([...node]).toEqual([
      ['a', { number: '1.500e0' }],
      ['b', { number: '12345678901234567890' }],
    ]);
  });

  it('replaces halves of surrogate pairs', () => {
    expect(parseJson('"\\ud800x\\ud83d\\ude00"')).toBe('\ufffdx\u{1F600}');
  });

  it('is rejected when nested too deeply', () => {
    expect(thrown(() => parseJson('['.repeat(100_000))).message).toBe('exceeded max depth');
  });

  it('implies a type', () => {
    const type = impliedJsonType(parseJson('{"a":[1,"x",null],"b":{}}'));
    expect(typeToString(type)).toBe('object({a=tuple([number,string,any]),b=object({})})');
  });
});

describe('values in JSON', () => {
  it.each<[string, Type, string, readonly string[]]>([
    ['"a"', NUMBER, 'a number is required', []],
    ['true', NUMBER, 'number is required', []],
    ['[true]', listType(NUMBER), 'number is required', ['[0]']],
    ['{"a":{"b":[]}}', mapType(mapType(STRING)), 'string is required', ['["a"]', '["b"]']],
    ['{"x":1}', objectType({ a: STRING }), 'unsupported attribute "x"', []],
    ['{"a":[]}', objectType({ a: STRING }), 'string is required', ['."a"']],
    ['[]', tupleType([STRING]), 'not enough tuple elements (need 1)', []],
    ['[1,2]', tupleType([STRING]), 'too many tuple elements (need 1)', []],
    ['{}', DYNAMIC, 'missing type in dynamically-typed value', []],
    ['{"type":"string"}', DYNAMIC, 'missing value in dynamically-typed value', []],
    [
      '{"type":"strong","value":1}',
      DYNAMIC,
      'failed to decode type for dynamic value: invalid primitive type name "strong"',
      [],
    ],
    ['{"a":1}', DYNAMIC, 'invalid key "a" in dynamically-typed value', []],
  ])('%s is rejected', (json, type, message, path) => {
    for (const error of [
      thrown(() => valueFromJson(json, type)),
      thrown(() => valueFromJsonNode(parseJson(json), type)),
    ]) {
      expect(error.message).toBe(message);
      expect(pathKey(error.path)).toBe(path.join(''));
    }
  });

  it('take null for attributes that are missing, and strings for numbers and back', () => {
    const type = objectType({ a: STRING, b: NUMBER, c: STRING });
    const v = valueFromJson('{"a":1.50,"b":"2"}', type);
    expect(v.attr('a').asString()).toBe('1.50');
    expect(v.attr('b').asInt()).toBe(2);
    expect(v.attr('c').isNull).toBe(true);
  });

  it('contain their type where it is dynamic, in either order', () => {
    const v = tuple([str('a'), TRUE]);
    const json = valueToJson(v, DYNAMIC);
    expect(json).toBe('{"value":["a",true],"type":["tuple",["string","bool"]]}');
    const swapped = '{"type":["tuple",["string","bool"]],"value":["a",true]}';
    expect(valueFromJson(swapped, DYNAMIC).rawEquals(v)).toBe(true);
  });

  it('are written with the escapes of Go, or without those for HTML', () => {
    const v = str('<a&b>\u2028\u0001"\\é');
    expect(valueToJson(v, STRING)).toBe('"\\u003ca\\u0026b\\u003e\\u2028\\u0001\\"\\\\é"');
    expect(valueToJson(v, STRING, { escapeHtml: false })).toBe('"<a&b>\\u2028\\u0001\\"\\\\é"');
  });

  it('are as long as their parts', () => {
    const texts = [
      '',
      'a',
      'é',
      '"',
      '\u2028',
      '😀',
      'x'.repeat(255),
      'y"'.repeat(128),
      'z'.repeat(300),
    ];
    const parts = Array.from({ length: 4_000 }, (_, i) => `${texts[i % texts.length]}${i}`);
    const names = parts.slice(0, 18);
    const v = object(Object.fromEntries(names.map((name) => [name, tuple(parts.map(str))])));
    const decoded: unknown = JSON.parse(valueToJson(v, v.type));
    expect(decoded).toEqual(Object.fromEntries(names.map((name) => [name, parts])));
  });

  it.each([true, false])('are escaped at every length, with escapeHtml %s', (escapeHtml) => {
    const texts = [
      '~',
      '\u007f',
      '\u07ff',
      '\u0800',
      'é',
      '€',
      '\uffff',
      '😀',
      '\n',
      '<',
      '\u2028',
      '\ud800',
      '\udc00',
    ];
    const lengths = [0, 5_400, 5_460, 16_381, 16_382, 16_383, 16_384, 40_000];
    for (const text of texts) {
      const parts = lengths.flatMap((length) => ['x'.repeat(length), text, text.repeat(3)]);
      for (const names of [parts.slice(0, 3), parts]) {
        const entries = names.map((name) => [`${text}${name}`, tuple(parts.map(str))] as const);
        const v = object(Object.fromEntries(entries));
        const plain = Object.fromEntries(
          v.entries().map(([name]) => [name.asString().toWellFormed(), parts]),
        );
        const pattern = escapeHtml ? /[<>&\u2028\u2029]/g : /[\u2028\u2029]/g;
        const expected = JSON.stringify(plain, (_, part: unknown) =>
          typeof part === 'string' ? part.toWellFormed() : part,
        ).replace(pattern, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
        expect(valueToJson(v, v.type, { escapeHtml }) === expected).toBe(true);
      }
    }
  });

  it('are exact', () => {
    expect(valueToJson(big('12345678901234567890.12345'), NUMBER)).toBe(
      '12345678901234567890.12345',
    );
    expect(formatNumber(valueFromJson('0.1', NUMBER).asNum())).toBe('0.1');
  });

  it('can not be unknown, marked or infinite', () => {
    const inList =
      (v: Value): (() => unknown) =>
      () =>
        valueToJson(list(v.type, [v]), listType(v.type));
    expect(thrown(inList(unknownOf(STRING))).message).toBe('value is not known');
    expect(thrown(inList(unknownOf(STRING))).path).toHaveLength(1);
    expect(thrown(inList(str('a').mark('sensitive'))).message).toBe(
      'value has marks, so it cannot be serialized as JSON',
    );
    expect(thrown(inList(number(Infinity))).message).toBe('cannot serialize infinity as JSON');
  });

  it('are converted to the type they are written as', () => {
    expect(valueToJson(number(1), STRING)).toBe('"1"');
    expect(valueToJson(tuple([number(1)]), listType(STRING))).toBe('["1"]');
  });
});

describe('types in JSON', () => {
  it('name optional attributes', () => {
    const type = objectType({ b: NUMBER, a: listType(DYNAMIC) }, ['b']);
    expect(typeToJson(type)).toEqual(['object', { a: ['list', 'dynamic'], b: 'number' }, ['b']]);
    expect(typeToJsonText(type)).toBe('["object",{"a":["list","dynamic"],"b":"number"},["b"]]');
    expect(typeFromJson(typeToJson(type))).toBe(type);
  });

  it.each([
    ['"strong"', 'invalid primitive type name "strong"'],
    ['5', 'invalid type description'],
    ['{}', 'invalid type description'],
    ['["lust","string"]', 'invalid complex type kind name'],
    ['["list","string",1]', 'unexpected extra data in type description'],
    ['["object",{"a":"string"},["b"]]', 'invalid optional attributes in object type description'],
  ])('%s is rejected: %s', (json, message) => {
    expect(thrown(() => typeFromJson(parseJson(json))).message).toBe(message);
  });
});

describe('MessagePack', () => {
  it.each<[string, Value, string]>([
    ['small integers', number(5), '05'],
    ['negative integers', number(-1), 'ff'],
    ['bytes', number(200), 'ccc8'],
    ['negative bytes', number(-100), 'd09c'],
    ['words', number(-40000), 'd2ffff63c0'],
    ['ids beyond safe integers', big('9223372036854775807'), 'cf7fffffffffffffff'],
    [
      'unsigned 64 bits as text',
      big('18446744073709551615'),
      `b4${Buffer.from('18446744073709551615').toString('hex')}`,
    ],
    ['exact doubles', big('0.5'), 'cb3fe0000000000000'],
    ['inexact decimals as text', big('0.1'), 'a3302e31'],
    ['infinity', number(Infinity), 'cb7ff0000000000000'],
  ])('writes %s as cty does', (_, v, want) => {
    expect(hex(v, NUMBER)).toBe(want);
    expect(decodeMsgpack(Buffer.from(want, 'hex'), NUMBER).rawEquals(v)).toBe(true);
  });

  it('writes unknown values with their refinements', () => {
    expect(hex(unknownOf(STRING), STRING)).toBe('d40000');
    expect(hex(unknownOf(STRING, { notNull: true }), STRING)).toBe('c7030c8101c2');
    const prefixed = unknownOf(STRING, { notNull: true, prefix: 'ab' });
    expect(hex(prefixed, STRING)).toBe('c7070c8201c202a26162');
  });

  it('cuts long prefixes, which decoders would refuse', () => {
    const v = unknownOf(STRING, { prefix: 'a-'.repeat(400) });
    const prefix = decodeMsgpack(encodeMsgpack(v, STRING), STRING).refinement?.prefix ?? '';
    expect(prefix.length).toBeGreaterThan(200);
    expect(prefix.length).toBeLessThanOrEqual(256);
  });

  it('reads attributes in any order', () => {
    const type = objectType({ a: STRING, b: STRING, c: STRING });
    const bytes = Buffer.from('83a163a133a161a131a162a132', 'hex');
    const want = object({ a: str('1'), b: str('2'), c: str('3') });
    expect(decodeMsgpack(bytes, type).rawEquals(want)).toBe(true);
  });

  it('writes long strings, lists and maps', () => {
    for (const length of [31, 32, 255, 256, 65_535, 65_536]) {
      const text = str('é'.repeat(length));
      expect(decodeMsgpack(encodeMsgpack(text, STRING), STRING).rawEquals(text)).toBe(true);
    }
    for (const length of [15, 16, 65_536]) {
      const keys = Array.from({ length }, (_, i) => [`k${i}`, number(i)] as const);
      const v = tuple([
        list(
          NUMBER,
          keys.map((entry) => entry[1]),
        ),
        map(NUMBER, keys),
        set(
          NUMBER,
          keys.map((entry) => entry[1]),
        ),
      ]);
      expect(decodeMsgpack(encodeMsgpack(v, v.type), v.type).rawEquals(v)).toBe(true);
    }
  });

  it.each<[string, Type, string]>([
    ['05', STRING, 'string is required'],
    ['a161', NUMBER, 'number is required'],
    ['05', listType(STRING), 'a list is required'],
    ['05', setType(STRING), 'a set is required'],
    ['80', objectType({ a: STRING }), 'an object with 1 attributes is required (0 given)'],
    ['81a162a162', objectType({ a: STRING }), 'unsupported attribute'],
    ['91a161', tupleType([]), 'a tuple of length 0 is required'],
    ['93', DYNAMIC, 'dynamic value array must have exactly two elements'],
    ['a5', STRING, 'unexpected end of data'],
    ['', STRING, 'unexpected end of data'],
    [
      'c7030c8102a161',
      NUMBER,
      'failed to decode msgpack extension body: string prefix refinement for non-string type',
    ],
    ['c7020c8101', NUMBER, 'unexpected end of data'],
  ])('%s is rejected', (bytes, type, message) => {
    expect(thrown(() => decodeMsgpack(Buffer.from(bytes, 'hex'), type)).message).toBe(message);
  });

  it('rejects marks, with their path', () => {
    const v = object({ a: list(STRING, [str('x').mark('sensitive')]) });
    const error = thrown(() => encodeMsgpack(v, v.type));
    expect(error.message).toBe('value has marks, so it cannot be serialized');
    expect(pathKey(error.path)).toBe('."a"[0]');
  });

  it('refuses refinements that contradict themselves', () => {
    const body = '8205050601';
    const bytes = Buffer.from(`c7050c${body}`, 'hex');
    expect(() => decodeMsgpack(bytes, listType(STRING))).toThrow(CtyError);
  });
});
