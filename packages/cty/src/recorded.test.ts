import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import {
  add,
  BOOL,
  canConvert,
  conformanceErrors,
  convert,
  CtyError,
  decodeMsgpack,
  divide,
  DYNAMIC,
  encodeMsgpack,
  equal,
  formatNumber,
  friendlyName,
  friendlyNameForConstraint,
  greaterOrEqual,
  greaterThan,
  impliedJsonType,
  lengthOf,
  lessOrEqual,
  lessThan,
  modulo,
  multiply,
  number,
  parseJson,
  parseNumber,
  quoteText,
  safePrefix,
  subtract,
  type Type,
  typeFromJson,
  typeToJsonText,
  unify,
  type Value,
  valueFromJson,
  valueToJson,
} from './index.ts';
import conversions from './recorded/conversions.json' with { type: 'json' };
import numbers from './recorded/numbers.json' with { type: 'json' };
import vectors from './recorded/vectors.json' with { type: 'json' };

function numberOf(text: string): Value {
  const n = parseNumber(text);
  if (n === undefined) throw new Error(`${text} is no number`);
  return number(n);
}

const operators: Record<string, (a: Value, b: Value) => Value> = {
  add,
  subtract,
  multiply,
  divide,
  modulo,
};

describe('numbers as Terraform has them', () => {
  it.each(numbers.arithmetic)('$op of $a and $b is $result', ({ op, a, b, result }) => {
    const operator = operators[op] as (a: Value, b: Value) => Value;
    expect(formatNumber(operator(numberOf(a), numberOf(b)).asNum())).toBe(result);
  });

  it.each(numbers.text)('$text reads as $result', ({ text, result }) => {
    expect(formatNumber(numberOf(text).asNum())).toBe(result);
  });
});

function refusal(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof CtyError) return error.message;
    throw error;
  }
}

describe('conversions as Terraform does them', () => {
  it.each(conversions.conversions)('$json becomes $type: $result', ({ type, json, result }) => {
    const node = parseJson(json);
    const converted = convert(valueFromJson(json, impliedJsonType(node)), typeFromJson(type));
    expect(valueToJson(converted, converted.type, { escapeHtml: false })).toBe(result);
  });

  it.each(conversions.refusals)('$json is refused as $type: $error', ({ type, json, error }) => {
    const value = valueFromJson(json, impliedJsonType(parseJson(json)));
    expect(refusal(() => convert(value, typeFromJson(type)))).toBe(error);
  });
});

// Each row is an operation on values in MessagePack (with types), and cty's result.
interface Vector {
  readonly op: string;
  readonly a?: string;
  readonly b?: string;
  readonly types?: readonly unknown[];
  readonly unsafe?: boolean;
  readonly want: string;
}

const hex = (v: Value): string => Buffer.from(encodeMsgpack(v, DYNAMIC)).toString('hex');

function answer(vector: Vector): string {
  const { op, a = '', b = '', unsafe = false } = vector;
  const types: readonly Type[] = (vector.types ?? []).map(typeFromJson);
  const type = (i: number): Type => types[i] ?? BOOL;
  const value = (text: string): Value => decodeMsgpack(Buffer.from(text, 'hex'), DYNAMIC);
  switch (op) {
    case 'roundtrip':
      return hex(value(a));
    case 'convert':
      return hex(convert(value(a), type(0)));
    case 'equal':
      return hex(equal(value(a), value(b)));
    case 'rawequal':
      return String(value(a).rawEquals(value(b)));
    case 'lt':
      return [lessThan, lessOrEqual, greaterThan, greaterOrEqual]
        .map((compare) => hex(compare(value(a), value(b))))
        .join('');
    case 'length':
      return hex(lengthOf(value(a)));
    case 'unify': {
      const unified = unify(types, unsafe);
      return unified === undefined ? 'none' : typeToJsonText(unified);
    }
    case 'can':
      return canConvert(type(0), type(1));
    case 'conform':
      return String(conformanceErrors(type(0), type(1)).length);
    case 'friendly':
      return `${friendlyName(type(0))}|${friendlyNameForConstraint(type(0))}`;
    case 'json':
      return valueToJson(value(a), DYNAMIC) + valueToJson(value(a), value(a).type);
    case 'unjson':
      return hex(valueFromJson(a, type(0)));
    case 'implied':
      return typeToJsonText(impliedJsonType(parseJson(a)));
    case 'prefix':
      return safePrefix(a);
    case 'quote':
      return quoteText(a);
    default:
      throw new Error(`no such operation: ${op}`);
  }
}

function answerOrError(vector: Vector): string {
  try {
    return answer(vector);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const depth = vector.op === 'convert' && error.path.length > 0 ? ` ${error.path.length}` : '';
    return `ERR ${error.message}${depth}`;
  }
}

describe('operations as cty does them', () => {
  const operations = [...new Set((vectors as readonly Vector[]).map((vector) => vector.op))];
  it.each(operations)('%s returns the recorded results', (op) => {
    const rows = (vectors as readonly Vector[]).filter((vector) => vector.op === op);
    expect(rows.length).toBeGreaterThanOrEqual(10);
    for (const row of rows) expect({ ...row, want: answerOrError(row) }).toEqual(row);
  });
});
