import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodies } from '../testing/arbitrary-trees.ts';
import { printHcl } from '../print/print-hcl.ts';
import { fromJson, TERRAFORM_BLOCKS } from './from-json.ts';
import { HclError } from './hcl-error.ts';
import type { JsonObject } from './json-types.ts';
import { toJson } from './to-json.ts';

const seed = Number(process.env['LAWS_SEED'] ?? '1');
const numRuns = Number(process.env['LAWS_RUNS'] ?? '40');

describe('toJson', () => {
  test('returns blocks as arrays below their labels, and expressions as templates', () => {
    expect(toJson('a = 1\nb = [x, "y${z}"]\nc "l" {\n  d = null\n}\nc "l" {}\n')).toEqual({
      a: 1,
      b: ['${x}', 'y${z}'],
      c: { l: [{ d: null }, {}] },
    });
  });
  test('rounds numbers that no double holds, or keeps them as expressions', () => {
    const text = 'a = 123456789012345678901\nb = -123456789012345678901\nc = 0.1\n';
    expect(toJson(text)).toEqual({ a: 123456789012345680000, b: -123456789012345680000, c: 0.1 });
    expect(toJson(text, { bigNumbers: 'expression' })).toEqual({
      a: '${123456789012345678901}',
      b: '${-123456789012345678901}',
      c: 0.1,
    });
  });
  test('takes names that JavaScript has a use for', () => {
    const json = toJson('__proto__ = 1\nconstructor {}\ntoString "x" {}\n');
    expect(Object.keys(json)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(JSON.stringify(json)).toBe('{"__proto__":1,"constructor":[{}],"toString":{"x":[{}]}}');
  });
  test('rejects a text with errors, with the position', () => {
    expect(() => toJson('a = 1\nb = [\n', { filename: 'x.hcl' })).toThrow(HclError);
    expect(() => toJson('b = ]\n', { filename: 'x.hcl' })).toThrow(
      /Error: Invalid expression\n\n {2}on x\.hcl line 1, column 5:\n {3}1: b = \]\n {10}\^\n\nExpected/,
    );
  });
});

describe('fromJson', () => {
  test('writes attributes, then blocks, in canonical layout', () => {
    const json = {
      block: [{ a: 1, bcd: '${var.x}' }, {}],
      name: 'x',
      'other-name': ['a', { k: 'v', 'two words': [] }],
      '//': 'A comment',
      labelled: { one: { two: [{ z: null }] } },
    };
    expect(fromJson(json)).toBe(`name = "x"
other-name = [
  "a",
  {
    k           = "v"
    "two words" = []
  },
]
# A comment

block {
  a   = 1
  bcd = var.x
}

block {}

labelled "one" "two" {
  z = null
}
`);
  });
  test('recognizes the blocks of Terraform if requested', () => {
    const json = {
      resource: {
        a: { b: { count: 1, tags: { x: 'y' }, lifecycle: { create_before_destroy: true } } },
      },
      locals: { x: { y: 1 } },
      variable: { v: { type: 'string' } },
    };
    expect(fromJson(json, { blocks: TERRAFORM_BLOCKS })).toBe(`resource "a" "b" {
  count = 1
  tags = {
    x = "y"
  }

  lifecycle {
    create_before_destroy = true
  }
}

locals {
  x = {
    y = 1
  }
}

variable "v" {
  type = "string"
}
`);
  });
  test('keeps templates and escapes similar text', () => {
    const convertText = (value: string): string => fromJson({ a: value }).slice(4, -1);
    expect(convertText('plain "x" \\ \n')).toBe('"plain \\"x\\" \\\\ \\n"');
    expect(convertText('a${b}"c"')).toBe('"a${b}\\"c\\""');
    expect(convertText('${ f("x", "${y}") }')).toBe('f("x", "${y}")');
    expect(convertText('$${x} %%{y}')).toBe('"$${x} %%{y}"');
    expect(convertText('%{ if a }\n"b"%{ endif }')).toBe('"%{if a}\\n\\"b\\"%{endif}"');
    expect(convertText('${a\n+ b}')).toBe('(a\n  + b\n)');
  });
  test('rejects values without native syntax', () => {
    expect(() => fromJson({ 'no name': 1 })).toThrow(/"no name" is not a name/);
    expect(() => fromJson({ a: '${x' })).toThrow(HclError);
    expect(() => fromJson({ a: Number.NaN })).toThrow(/not a number of JSON/);
  });
});

describe('there and back', () => {
  // Layout moves space, also within the sources of expressions, and lines need parentheses.
  const packed = (json: unknown): unknown => {
    if (typeof json === 'string') return json.replace(/[\s()]/g, '');
    if (Array.isArray(json)) return json.map(packed);
    if (typeof json !== 'object' || json === null) return json;
    return Object.entries(json).map(([name, value]) => [packed(name), packed(value)]);
  };
  test('fromJson and toJson undo each other', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        let json: JsonObject;
        const text = printHcl(body);
        try {
          json = toJson(text);
        } catch (error) {
          if (!(error instanceof HclError)) throw error;
          fc.pre(false);
          return;
        }
        const there = fromJson(json);
        expect(packed(toJson(there)), `${text}\n----\n${there}`).toEqual(packed(json));
      }),
      { seed, numRuns },
    );
  });
  test('constants of any kind survive', () => {
    const constants = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(constants, (value) => {
        const plain = JSON.parse(JSON.stringify(value).normalize('NFC')) as JsonObject;
        const escaped = JSON.parse(
          JSON.stringify(plain).replace(/([$%])\{/g, '$1$1{'),
        ) as JsonObject;
        expect(toJson(fromJson({ a: [0, escaped] }))).toEqual({ a: [0, escaped] });
      }),
      { seed, numRuns: numRuns * 5 },
    );
  });
});
