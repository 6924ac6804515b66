import {
  BOOL,
  CtyError,
  NUMBER,
  STRING,
  convert,
  formatNumber,
  numToInt,
  quoteText,
  str,
  valueToJson,
} from '@terrane/cty';
import type { Num, Value } from '@terrane/cty';
import {
  exactDigits,
  exponentText,
  fixedText,
  generalText,
  roundDigits,
  shortestDigits,
} from './decimal-digits.ts';
import { clusterCount, clustersOf } from './graphemes.ts';
import { checkLength } from './spec.ts';

/** A verb `%…` of a format string. */
export interface FormatVerb {
  /** the verb as written, from the percent sign to the letter */
  readonly raw: string;
  /** byte offset of the percent sign */
  readonly offset: number;
  readonly letter: string;
  /** one-based index */
  readonly argument: number;
  readonly zero: boolean;
  readonly sharp: boolean;
  readonly plus: boolean;
  readonly minus: boolean;
  readonly space: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

/** The greatest width and precision of numbers, which are Go's. */
const WIDEST_NUMBER = 1_000_000;

/** Formats one argument with a verb. The value must be wholly known. */
export function formatVerb(verb: FormatVerb, value: Value): string {
  if (verb.letter !== 'v' && value.isNull) {
    throw new CtyError(`${unsupportedValueText(verb)}: null value cannot be formatted`);
  }
  switch (verb.letter) {
    case 'v':
      return formatAsIs(verb, value);
    case 't':
      return String(converted(verb, value, () => convert(value, BOOL)).asBool());
    case 'b':
    case 'd':
    case 'o':
    case 'x':
    case 'X':
      checkSize(verb);
      return formatInteger(verb, converted(verb, value, () => convert(value, NUMBER)).asNum());
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      checkSize(verb);
      return formatFloat(verb, converted(verb, value, () => convert(value, NUMBER)).asNum());
    case 's':
    case 'q':
      return formatText(verb, converted(verb, value, () => convert(value, STRING)).asString());
    default:
      throw new CtyError(
        `unsupported format verb '${verb.letter}' in ${quoteText(verb.raw)} at offset ${verb.offset}`,
      );
  }
}

function checkSize(verb: FormatVerb): void {
  const { width = 0, precision = 0 } = verb;
  if (width <= WIDEST_NUMBER && precision <= WIDEST_NUMBER) return;
  throw new CtyError(
    `width and precision of ${quoteText(verb.raw)} at ${verb.offset} must not be greater than ${WIDEST_NUMBER}`,
  );
}

function unsupportedValueText(verb: FormatVerb): string {
  return `unsupported value for ${quoteText(verb.raw)} at ${verb.offset}`;
}

function converted(verb: FormatVerb, _value: Value, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new CtyError(`${unsupportedValueText(verb)}: ${error.message}`);
  }
}

function formatAsIs(verb: FormatVerb, value: Value): string {
  if (!verb.sharp && !value.isNull) {
    if (value.type === STRING) return padText(verb, value.asString());
    if (value.type === NUMBER) return padText(verb, generalNumber(value.asNum()));
  }
  return padText(verb, valueToJson(value, value.type));
}

/** Formats a number as Go's Text('g', -1). */
function generalNumber(n: Num): string {
  if (typeof n === 'number' && !Number.isFinite(n)) return formatNumber(n);
  const d = shortestDigits(n);
  return `${d.negative ? '-' : ''}${generalText(d, undefined, 'e')}`;
}

const RADIX: Readonly<Record<string, number>> = { b: 2, d: 10, o: 8, x: 16, X: 16 };
const RADIX_PREFIX: Readonly<Record<string, string>> = { b: '0b', o: '0', x: '0x', X: '0X' };

/** big.Int's Format */
function formatInteger(verb: FormatVerb, n: Num): string {
  const integerValue = numToInt(n);
  if (integerValue === undefined)
    throw new CtyError(`${unsupportedValueText(verb)}: an integer is required`);
  const sign = integerValue < 0n ? '-' : signOf(verb);
  const prefix = verb.sharp ? (RADIX_PREFIX[verb.letter] ?? '') : '';
  let digits = (integerValue < 0n ? -integerValue : integerValue).toString(
    RADIX[verb.letter] ?? 10,
  );
  if (verb.letter === 'X') digits = digits.toUpperCase();
  if (verb.precision !== undefined) {
    if (digits === '0' && verb.precision === 0) return '';
    digits = digits.padStart(verb.precision, '0');
  }
  const missing = (verb.width ?? 0) - sign.length - prefix.length - digits.length;
  if (missing <= 0) return sign + prefix + digits;
  if (verb.minus) return sign + prefix + digits + ' '.repeat(missing);
  if (verb.zero && verb.precision === undefined) {
    return sign + prefix + '0'.repeat(missing) + digits;
  }
  return ' '.repeat(missing) + sign + prefix + digits;
}

function signOf(verb: FormatVerb): string {
  if (verb.plus) return '+';
  return verb.space ? ' ' : '';
}

/** big.Float's Format */
function formatFloat(verb: FormatVerb, n: Num): string {
  const infinite = typeof n === 'number' && !Number.isFinite(n);
  const negative = infinite ? n < 0 : shortestDigits(n).negative;
  const body = infinite ? 'Inf' : floatDigits(verb, n);
  let sign = negative ? '-' : signOf(verb);
  if (infinite && !negative) sign = verb.space ? ' ' : '+';
  const missing = (verb.width ?? 0) - sign.length - body.length;
  if (missing <= 0) return sign + body;
  if (verb.minus) return sign + body + ' '.repeat(missing);
  if (verb.zero && !infinite) return sign + '0'.repeat(missing) + body;
  return ' '.repeat(missing) + sign + body;
}

function floatDigits(verb: FormatVerb, n: Num): string {
  const exact = exactDigits(n);
  switch (verb.letter) {
    case 'e':
    case 'E': {
      const decimalPlaces = verb.precision ?? 6;
      return exponentText(roundDigits(exact, 1 + decimalPlaces), decimalPlaces, verb.letter);
    }
    case 'f': {
      const decimalPlaces = verb.precision ?? 6;
      return fixedText(roundDigits(exact, exact.point + decimalPlaces), decimalPlaces);
    }
    default: {
      const letter = verb.letter === 'G' ? 'E' : 'e';
      if (verb.precision === undefined) return generalText(shortestDigits(n), undefined, letter);
      const precision = verb.precision === 0 ? 1 : verb.precision;
      return generalText(roundDigits(exact, precision), precision, letter);
    }
  }
}

function formatText(verb: FormatVerb, content: string): string {
  const limit = verb.precision ?? 0;
  const text = limit > 0 ? clustersOf(content).slice(0, limit).join('') : content;
  return padText(verb, verb.letter === 'q' ? valueToJson(str(text), STRING) : text);
}

function padText(verb: FormatVerb, text: string): string {
  if (verb.width === undefined) return text;
  const missing = verb.width - clusterCount(text);
  if (missing <= 0) return text;
  checkLength(missing);
  const padding = (verb.zero ? '0' : ' ').repeat(missing);
  return verb.minus ? text + padding : padding + text;
}
