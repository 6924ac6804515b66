import { DYNAMIC, str, STRING, UNKNOWN, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import {
  decodeTfvars as decode,
  encodeExpression,
  encodeTfvars as encode,
} from '@terrane/provider';
import type { CallAnswer, FunctionSignature } from '@terrane/provider';

/** A function of the built-in provider. */
export interface BuiltInFunction extends FunctionSignature {
  readonly call: (argument: Value) => CallAnswer;
}

/** The functions of the built-in provider. */
export const FUNCTIONS: Readonly<Record<string, BuiltInFunction>> = {
  decode_tfvars: {
    summary: 'Parse a string containing syntax like that used in a `.tfvars` file',
    description:
      'A rarely-needed function which takes a string containing the content of a `.tfvars` file and returns an object describing the raw variable values it defines.',
    parameters: [{ name: 'src', type: STRING }],
    returns: DYNAMIC,
    call: decodeTfvars,
  },
  encode_expr: {
    summary:
      'Produce a string representation of an arbitrary value using Terraform expression syntax',
    description:
      'A rarely-needed function which takes any value and produces a string containing Terraform language expression syntax approximating that value.',
    parameters: [{ name: 'value', type: DYNAMIC, allowUnknown: true }],
    returns: STRING,
    call: encodeExpr,
  },
  encode_tfvars: {
    summary:
      'Produce a string representation of an object using the same syntax as for `.tfvars` files',
    description:
      'A rarely-needed function which takes an object value and produces a string containing a description of that object using the same syntax as Terraform CLI would expect in a `.tfvars`.',
    parameters: [{ name: 'value', type: DYNAMIC, allowUnknown: true }],
    returns: STRING,
    call: encodeTfvars,
  },
};

// The published provider gives the index of an argument that does not exist, so that the message is
// shown without one.
function refused(message: string): CallAnswer {
  return { error: { message, argument: 1 } };
}

function encodeTfvars(v: Value): CallAnswer {
  if (v.isNull) return refused('cannot encode a null value in tfvars syntax');
  if (!v.isWhollyKnown()) return { result: unknownOf(STRING, { notNull: true }) };
  if (v.type.kind !== 'object' && v.type.kind !== 'map') {
    return refused(
      'invalid value to encode: must be an object whose attribute names will become the encoded variable names',
    );
  }
  const encoded = encode(v);
  return 'problem' in encoded ? refused(encoded.problem) : { result: str(encoded.result) };
}

function encodeExpr(v: Value): CallAnswer {
  if (v.isWhollyKnown()) return { result: str(encodeExpression(v)) };
  const notNull = v.isKnown ? !v.isNull : v.refinement?.notNull === true;
  const prefix = notNull ? firstCharacter(v) : '';
  return { result: unknownOf(STRING, { notNull: true, ...(prefix !== '' && { prefix }) }) };
}

/** How the expression for a value of the type begins. */
function firstCharacter({ type }: Value): string {
  switch (type.kind) {
    case 'object':
    case 'map':
      return '{';
    case 'tuple':
    case 'list':
    case 'set':
      return '[';
    case 'string':
      return '"';
    default:
      return '';
  }
}

function decodeTfvars(v: Value): CallAnswer {
  if (v.isNull) return { error: { message: 'cannot decode tfvars from a null value' } };
  if (!v.isKnown) return { result: UNKNOWN };
  const decoded = decode(v.asString(), '<decode_tfvars argument>');
  return 'problem' in decoded ? { error: { message: decoded.problem } } : decoded;
}
