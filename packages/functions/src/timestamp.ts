import { CtyError, quoteText } from '@terrane/cty';

/** A point in time with its UTC offset. */
export interface Timestamp {
  /** milliseconds since 1970, whole seconds only */
  readonly epochMs: number;
  readonly nanoseconds: number;
  /** minutes east of Greenwich */
  readonly offset: number;
}

/** The fields of a timestamp in its own offset. */
export function localFields(t: Timestamp): Date {
  return new Date(t.epochMs + t.offset * 60_000);
}

/** RFC 3339, without fractions of seconds: Go's time.RFC3339. */
export function formatTimestamp(t: Timestamp): string {
  const fields = localFields(t);
  // For years of more than four digits, JavaScript writes a sign and six digits; Go writes only the digits of the year.
  const year = fields.getUTCFullYear();
  const size = String(Math.abs(year)).padStart(4, '0');
  const rest = fields
    .toISOString()
    .replace(/^[+-]?[0-9]+/, '')
    .slice(0, 15);
  return `${year < 0 ? '-' : ''}${size}${rest}${offsetText(t.offset, true, true)}`;
}

/** Formats an offset as "+01:00"; with `zulu`, "Z" for none; without `colon`, "+0100". */
export function offsetText(offset: number, zulu: boolean, colon: boolean): string {
  if (offset === 0 && zulu) return 'Z';
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  const minutes = String(size % 60).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hours}${colon ? ':' : ''}${minutes}`;
}

const INVALID = 'not a valid RFC3339 timestamp';

function fail(message: string): never {
  throw new CtyError(`${INVALID}${message}`);
}

/** A component of a layout, as Go's parser splits it. */
interface Part {
  readonly name: string;
  readonly digits: number;
  readonly max: number;
  readonly min: number;
}

const YEAR: Part = { name: 'year', digits: 4, min: 0, max: 9999 };
const MONTH: Part = { name: 'month', digits: 2, min: 1, max: 12 };
const DAY: Part = { name: 'day of month', digits: 2, min: 0, max: 99 };
const HOUR: Part = { name: 'hour', digits: 2, min: 0, max: 23 };
const MINUTE: Part = { name: 'minute', digits: 2, min: 0, max: 59 };
const SECOND: Part = { name: 'second', digits: 2, min: 0, max: 59 };

class TimestampParser {
  readonly #text: string;
  readonly #strict: boolean;
  #at: number = 0;

  constructor(text: string, strict: boolean) {
    this.#text = text;
    this.#strict = strict;
  }

  parse(): Timestamp {
    const year = this.#number(YEAR);
    this.#literal('-');
    const month = this.#number(MONTH);
    this.#literal('-');
    const day = this.#number(DAY);
    this.#introducer();
    const hour = this.#hour();
    this.#literal(':');
    const minute = this.#number(MINUTE);
    this.#literal(':');
    const second = this.#number(SECOND);
    const nanoseconds = this.#fraction();
    const offset = this.#offset();
    if (this.#at < this.#text.length) {
      fail(`: cannot use ${quoteText(this.#text.slice(this.#at))} as timestamp segment`);
    }
    if (day < 1 || day > daysIn(year, month)) fail(': day out of range');
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
    return { epochMs: date.getTime() - offset * 60_000, nanoseconds, offset };
  }

  get #rest(): string {
    return this.#text.slice(this.#at);
  }

  #reject(partName: string): never {
    const rest = this.#rest;
    if (rest === '') fail(`: end of string before ${partName}`);
    if (this.#strict && partName === 'hour' && rest.includes(':')) {
      fail(': hour must be between 0 and 23 inclusive');
    }
    if (this.#strict && (partName === 'hour' || partName === 'minute') && rest.length !== 2) {
      fail(`: ${partName} must have exactly two digits`);
    }
    return fail(`: cannot use ${quoteText(rest)} as ${partName}`);
  }

  #number(part: Part): number {
    const digits = this.#text.slice(this.#at, this.#at + part.digits);
    if (digits.length < part.digits || !/^[0-9]+$/.test(digits)) this.#reject(part.name);
    const value = Number(digits);
    this.#at += part.digits;
    // The text after the number is quoted in this case, not the number.
    if (value < part.min || value > part.max) this.#reject(part.name);
    return value;
  }

  /** Parses the hour. Go accepts a single digit, which only strict functions reject. */
  #hour(): number {
    if (/^[0-9][^0-9]/.test(this.#rest)) {
      if (this.#strict) fail(': hour must have exactly two digits');
      const value = Number(this.#text[this.#at]);
      this.#at += 1;
      return value;
    }
    return this.#number(HOUR);
  }

  #literal(expected: '-' | ':'): void {
    if (this.#text[this.#at] === expected) {
      this.#at++;
      return;
    }
    const rest = this.#rest;
    if (rest === '') fail(`: end of string where ${quoteText(expected)} is expected`);
    fail(`: found ${quoteText(rest)} where ${quoteText(expected)} is expected`);
  }

  #introducer(): void {
    if (this.#text[this.#at] !== 'T') fail(": missing required time introducer 'T'");
    this.#at++;
  }

  #fraction(): number {
    const match = /^[.,]([0-9]+)/.exec(this.#rest);
    if (match === null) return 0;
    if (this.#strict && match[0].startsWith(',')) {
      fail(`: cannot use "," as timestamp segment`);
    }
    this.#at += match[0].length;
    return Number((match[1] ?? '').slice(0, 9).padEnd(9, '0'));
  }

  #offset(): number {
    if (this.#text[this.#at] === 'Z') {
      this.#at++;
      return 0;
    }
    const match = /^([+-])([0-9]{2}):([0-9]{2})/.exec(this.#rest);
    if (match === null) this.#reject('UTC offset');
    const hours = Number(match[2]);
    const minutes = Number(match[3]);
    this.#at += match[0].length;
    if (hours > 24 || minutes > 60) this.#reject('UTC offset');
    if (this.#strict && (hours > 23 || minutes > 59)) {
      fail(`: cannot use ${quoteText(match[0])} as UTC offset`);
    }
    return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
  }
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** Parses RFC 3339, with Terraform's messages; `strict` enables the additional checks of `formatdate`. */
export function parseTimestamp(text: string, strict: boolean): Timestamp {
  return new TimestampParser(text, strict).parse();
}

/** Nanoseconds of Go's duration syntax, such as "1h30m" or "-1.5s". */
export function parseDuration(text: string): bigint {
  const invalid = (): never => {
    throw new CtyError(`time: invalid duration ${quoteText(text)}`);
  };
  const negative = text.startsWith('-');
  let rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') return invalid();
  let total = 0n;
  while (rest !== '') {
    const match = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest);
    const integerPart = match?.[1] ?? '';
    const fraction = match?.[2] ?? '';
    if (integerPart === '' && fraction === '') return invalid();
    rest = rest.slice(match?.[0].length ?? 0);
    const unit = /^[^.0-9]*/.exec(rest)?.[0] ?? '';
    if (unit === '') throw new CtyError(`time: missing unit in duration ${quoteText(text)}`);
    const size = UNITS.get(unit);
    if (size === undefined) {
      throw new CtyError(`time: unknown unit ${quoteText(unit)} in duration ${quoteText(text)}`);
    }
    rest = rest.slice(unit.length);
    total += BigInt(integerPart === '' ? '0' : integerPart) * size;
    if (fraction !== '') total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    if (total > MAX_DURATION) return invalid();
  }
  if (!negative && total === MAX_DURATION) return invalid();
  return negative ? -total : total;
}

const MAX_DURATION = 2n ** 63n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** The moment a duration later. */
export function addDuration(t: Timestamp, nanoseconds: bigint): Timestamp {
  const total = BigInt(t.epochMs) * 1_000_000n + BigInt(t.nanoseconds) + nanoseconds;
  let rest = total % 1_000_000_000n;
  if (rest < 0n) rest += 1_000_000_000n;
  return {
    epochMs: Number((total - rest) / 1_000_000n),
    nanoseconds: Number(rest),
    offset: t.offset,
  };
}

/** -1, 0 or 1, as the first moment is before, at or after the second. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return Math.sign(a.epochMs - b.epochMs || a.nanoseconds - b.nanoseconds);
}
