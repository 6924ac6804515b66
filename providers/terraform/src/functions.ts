import { DYNAMIC, str, STRING, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import {
  decodeTfvars as decode,
  encodeExpression,
  encodeTfvars as encode,
} from '@terrane/provider';
import { dynamic, isUnknown, parameter, providerFunction, string } from '@terrane/provider/sdk';
import type { ProviderFunction, Unknown } from '@terrane/provider/sdk';

const UNKNOWN_TEXT = unknownOf(STRING, { notNull: true });

const decodeTfvars = providerFunction({
  summary: 'Parse a string containing syntax like that used in a `.tfvars` file',
  description:
    'A rarely-needed function which takes a string containing the content of a `.tfvars` file and returns an object describing the raw variable values it defines.',
  parameters: { src: string },
  returns: dynamic,
  call: ({ src }, { fail }) => {
    const decoded = decode(src, '<decode_tfvars argument>');
    return 'problem' in decoded ? fail(decoded.problem) : decoded.result;
  },
});

const encodeExpr = providerFunction({
  summary:
    'Produce a string representation of an arbitrary value using Terraform expression syntax',
  description:
    'A rarely-needed function which takes any value and produces a string containing Terraform language expression syntax approximating that value.',
  parameters: { value: parameter(dynamic, { allowUnknown: true }) },
  returns: string,
  call: ({ value }) => {
    const v = valueOf(value);
    if (v.isWhollyKnown()) return str(encodeExpression(v));
    const notNull = v.isKnown ? !v.isNull : v.refinement?.notNull === true;
    const prefix = notNull ? firstCharacter(v) : '';
    return unknownOf(STRING, { notNull: true, ...(prefix !== '' && { prefix }) });
  },
});

const encodeTfvars = providerFunction({
  summary:
    'Produce a string representation of an object using the same syntax as for `.tfvars` files',
  description:
    'A rarely-needed function which takes an object value and produces a string containing a description of that object using the same syntax as Terraform CLI would expect in a `.tfvars`.',
  parameters: { value: parameter(dynamic, { allowUnknown: true }) },
  returns: string,
  call: ({ value }, { fail }) => {
    const v = valueOf(value);
    // The published provider reports the index of an argument that does not exist, so the message names no argument.
    const reject = (message: string): never => fail(message, 'value', 1);
    if (!v.isWhollyKnown()) return UNKNOWN_TEXT;
    if (v.type.kind !== 'object' && v.type.kind !== 'map') {
      return reject(
        'invalid value to encode: must be an object whose attribute names will become the encoded variable names',
      );
    }
    const encoded = encode(v);
    return 'problem' in encoded ? reject(encoded.problem) : str(encoded.result);
  },
});

/** The functions of the built-in provider. */
export const FUNCTIONS: Readonly<Record<string, ProviderFunction>> = {
  decode_tfvars: decodeTfvars,
  encode_expr: encodeExpr,
  encode_tfvars: encodeTfvars,
};

function valueOf(input: Value | Unknown): Value {
  return isUnknown(input) ? input.toValue(DYNAMIC) : input;
}

/** Returns the first character of the expression for a value of the type. */
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
