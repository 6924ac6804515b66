import { parseDuration } from '@terrane/host';
import { parseBool } from './parse-bool.ts';

/** One command line option: what it is without being given, and how a given text changes it. */
export interface Flag<T> {
  readonly initial: T;
  /** a bool needs no value: `-refresh` means `-refresh=true` */
  readonly isBool: boolean;
  /** the new value, or undefined if the text is not one */
  read(text: string, before: T): T | undefined;
}

/** `-name`, `-name=true`, `-name=false`. */
export function bool(initial: boolean): Flag<boolean> {
  return { initial, isBool: true, read: parseBool };
}

/** `-name=text` or `-name text`. */
export function text(initial = ''): Flag<string> {
  return { initial, isBool: false, read: (given) => given };
}

/** A whole number, in the notations of Go's strconv.ParseInt with base 0. */
export function integer(initial: number): Flag<number> {
  return { initial, isBool: false, read: parseInteger };
}

/** A span of time such as `10s`; the value is in milliseconds. */
export function duration(initial = 0): Flag<number> {
  return { initial, isBool: false, read: parseDuration };
}

/** An option that may be repeated. */
export function list(): Flag<readonly string[]> {
  return { initial: [], isBool: false, read: (given, before) => [...before, given] };
}

const INTEGER = /^([+-]?)(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][0-9_]*)$/;

function parseInteger(given: string): number | undefined {
  const match = INTEGER.exec(given);
  if (match === null) return undefined;
  const digits = (match[2] ?? '').replaceAll('_', '');
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  const value = octal === null ? Number(digits) : Number.parseInt(octal[1] ?? '', 8);
  if (!Number.isSafeInteger(value)) return undefined;
  return match[1] === '-' ? -value : value;
}
