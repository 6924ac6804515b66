import {
  formatNumber,
  friendlyName,
  isCollection,
  type Num,
  quoteText,
  type Value,
} from '@terrane/cty';
import type { Traversal } from '../model.ts';

/**
 * Summarises a value: primitives in full, other values by type and size. The caller must ensure that the value may be
 * shown; contents of collections never are.
 */
export function compactValue(marked: Value): string {
  if (marked.isMarked) {
    return marked.hasMark('sensitive') ? '(sensitive value)' : '(ephemeral value)';
  }
  const value = marked;
  const { type } = value;
  if (value.isNull) {
    return 'null';
  }
  if (!value.isKnown) {
    return '(not yet known)';
  }
  switch (type.kind) {
    case 'bool':
      return value.asBool() ? 'true' : 'false';
    case 'number':
      return compactNumber(value.asNum());
    case 'string':
      return compactText(value.asString());
    case 'object': {
      const [name] = type.names;
      if (name === undefined) {
        return 'object with no attributes';
      }
      return type.names.length === 1
        ? `object with 1 attribute ${quoteText(name)}`
        : `object with ${type.names.length} attributes`;
    }
    default:
      return isCollection(type) || type.kind === 'tuple'
        ? sizeText(friendlyName(type), value.length)
        : friendlyName(type);
  }
}

/** Longer texts would obscure the diagnostic. */
const MAX_TEXT_LENGTH = 10_000;

function compactText(text: string): string {
  return text.length <= MAX_TEXT_LENGTH
    ? quoteText(text)
    : `${quoteText(text.slice(0, MAX_TEXT_LENGTH))}... (${text.length} characters)`;
}

function sizeText(name: string, length: number): string {
  switch (length) {
    case 0:
      return `empty ${name}`;
    case 1:
      return `${name} with 1 element`;
    default:
      return `${name} with ${length} elements`;
  }
}

const DIGITS = 10;

/** A number with at most ten significant digits, in the style of Go's %g. */
function compactNumber(n: Num): string {
  if (n === Infinity || n === -Infinity) {
    return n > 0 ? '+Inf' : '-Inf';
  }
  const text = formatNumber(n);
  const sign = text.startsWith('-') ? '-' : '';
  const [integerPart = '', fraction = ''] = text.slice(sign.length).split('.');
  const all = `${integerPart}${fraction}`;
  const digits = all.replace(/^0+/, '');
  if (digits === '') {
    return `${sign}0`;
  }
  // The value is 0.digits times ten to this power.
  let power = integerPart.length - (all.length - digits.length);
  let rounded = roundDigits(digits);
  if (rounded.length > DIGITS || (rounded.length > digits.length && digits.length <= DIGITS)) {
    power++;
  }
  rounded = rounded.slice(0, DIGITS).replace(/0+$/, '');
  const exponent = power - 1;
  const precision = DIGITS > rounded.length && rounded.length >= power ? rounded.length : DIGITS;
  if (exponent < -4 || exponent >= precision) {
    const rest = rounded.slice(1);
    const exponentText = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${rounded[0]}${rest === '' ? '' : `.${rest}`}e${exponent < 0 ? '-' : '+'}${exponentText}`;
  }
  if (power <= 0) {
    return `${sign}0.${'0'.repeat(-power)}${rounded}`;
  }
  const integer = rounded.slice(0, power).padEnd(power, '0');
  const decimals = rounded.slice(power);
  return `${sign}${integer}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Rounds digits half to even; the result has one digit more if the rounding carries over the first digit. */
function roundDigits(digits: string): string {
  if (digits.length <= DIGITS) {
    return digits;
  }
  const retained = digits.slice(0, DIGITS);
  const rest = digits.slice(DIGITS);
  const half = `5${'0'.repeat(rest.length - 1)}`;
  const up = rest > half || (rest === half && Number(retained.at(-1)) % 2 === 1);
  return up ? String(BigInt(retained) + 1n) : retained;
}

/** A reference in the syntax of the language; complex keys are abbreviated. */
export function traversalText(traversal: Traversal): string {
  const pieces: string[] = [];
  for (const step of traversal.steps) {
    switch (step.kind) {
      case 'root':
        pieces.push(step.name);
        break;
      case 'attr':
        pieces.push(`.${step.name}`);
        break;
      case 'index': {
        const { kind } = step.key.type;
        const simple = kind === 'string' || kind === 'number' || kind === 'bool';
        pieces.push(`[${simple ? compactValue(step.key) : '...'}]`);
        break;
      }
      case 'splat':
        break;
    }
  }
  return pieces.join('');
}
