import {
  impliedJsonType,
  parseJson,
  str,
  STRING,
  unknownOf,
  valueFromJson,
  valueToJson,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { isPromise } from '@terrane/provider';
import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from './functions.ts';

function json(text: string): Value {
  return valueFromJson(text, impliedJsonType(parseJson(text)));
}

function call(name: string, argument: Value): unknown {
  const called = FUNCTIONS[name]!.call([argument]);
  if (isPromise(called)) throw new Error('functions answer at once');
  const { result, error } = called;
  if (error) return error;
  if (result?.isKnown === false) return result.refinement;
  return result?.type === STRING
    ? result.asString()
    : JSON.parse(valueToJson(result!, result!.type));
}

// The results are those of Terraform 1.11.4.
describe('encode_tfvars', () => {
  test('writes one formatted argument for each attribute', () => {
    const v = json('{"a":1,"bb":"x","ccc":{"z":1,"yy":[1,2]},"d":null}');
    const text = 'a  = 1\nbb = "x"\nccc = {\n  yy = [1, 2]\n  z  = 1\n}\nd = null\n';
    expect(call('encode_tfvars', v)).toBe(text);
  });

  test('rejects keys that are not identifiers, and values other than objects', () => {
    expect(call('encode_tfvars', json('{"a b":1}'))).toEqual({
      argument: 1,
      message:
        'invalid variable name "a b": must be a valid identifier, per Terraform\'s rules for input variable declarations',
    });
    expect(call('encode_tfvars', str('x'))).toEqual({
      argument: 1,
      message:
        'invalid value to encode: must be an object whose attribute names will become the encoded variable names',
    });
  });
});

describe('encode_expr', () => {
  test.each([
    ['"x"', '"x"'],
    ['["x","y"]', '["x", "y"]'],
    [
      '{"a":1,"b c":"x\\n${y}","l":["a",true,null],"n":1.5,"e":{},"f":[]}',
      '{\n  a     = 1\n  "b c" = "x\\n$${y}"\n  e     = {}\n  f     = []\n  l     = ["a", true, null]\n  n     = 1.5\n}',
    ],
  ])('writes %s', (text, expression) => {
    expect(call('encode_expr', json(text))).toBe(expression);
  });

  test('knows the prefix of the expression for an unknown string', () => {
    const unknown = unknownOf(STRING, { notNull: true });
    expect(call('encode_expr', unknown)).toMatchObject({ notNull: true, prefix: '"' });
    expect(call('encode_expr', unknownOf(STRING))).toEqual({ notNull: true });
  });
});

describe('decode_tfvars', () => {
  test('reads arguments', () => {
    expect(call('decode_tfvars', str('a = 1\nb = {x=[1]}\n'))).toEqual({ a: 1, b: { x: [1] } });
  });

  test.each([
    [
      'a = \nb = {x=[1]}\n',
      'invalid tfvars syntax: <decode_tfvars argument>:1,5-2,1: Invalid expression; Expected the start of an expression, but found an invalid expression token.',
    ],
    [
      'a = foo(1)',
      'invalid expression for variable "a": <decode_tfvars argument>:1,5-11: Function calls not allowed; Functions may not be called here.',
    ],
    [
      '\nc=var.x',
      'invalid expression for variable "c": <decode_tfvars argument>:2,3-6: Variables not allowed; Variables may not be used here.',
    ],
    [
      'a { }',
      'invalid tfvars content: <decode_tfvars argument>:1,1-2: Unexpected "a" block; Blocks are not allowed here.',
    ],
  ])('refuses %j', (text, message) => {
    expect(call('decode_tfvars', str(text))).toEqual({ message });
  });
});
