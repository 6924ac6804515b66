import { FALSE, TRUE } from '../constants.ts';
import { CtyError } from '../cty-error.ts';
import type { Num } from '../number.ts';
import { formatNumber, parseNumber } from '../number-text.ts';
import type { PrimitiveType } from '../type.ts';
import { textValue, type Value } from '../value.ts';
import { number } from '../values.ts';
import type { Conversion } from './find-conversion.ts';

const TRUE_TEXT = textValue('true');
const FALSE_TEXT = textValue('false');

/**
 * Returns the conversion between two different primitive types: to string always, from string if the text can be
 * parsed.
 */
export function primitiveConversion(
  from: PrimitiveType,
  to: PrimitiveType,
  unsafe: boolean,
): Conversion | undefined {
  if (to.kind === 'string') {
    if (from.kind === 'number') return (v) => textValue(formatNumber(v.payload as Num));
    return from.kind === 'bool' ? (v) => (v.payload === true ? TRUE_TEXT : FALSE_TEXT) : undefined;
  }
  if (from.kind !== 'string' || !unsafe) return undefined;
  return to.kind === 'number' ? textToNumber : textToBool;
}

function textToNumber(v: Value): Value {
  const n = parseNumber(v.payload as string);
  if (n === undefined) throw new CtyError('a number is required');
  return number(n);
}

function textToBool(v: Value): Value {
  const text = v.payload as string;
  switch (text) {
    case 'true':
    case '1':
      return TRUE;
    case 'false':
    case '0':
      return FALSE;
    default: {
      const lower = text.toLowerCase();
      if (lower === 'true' || lower === 'false') {
        throw new CtyError(
          `a bool is required; to convert from string, use lowercase ${JSON.stringify(lower)}`,
        );
      }
      throw new CtyError('a bool is required');
    }
  }
}
