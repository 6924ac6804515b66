import { parseDuration } from '@terrane/host';
import { parseBool } from './parse-bool.ts';

/**
 * A command-line flag: its kind and its value if it is absent. Tables of flags are constants of literals, so that the
 * types of the parsed values are inferred from them.
 */
export type Flag =
  /** `-name`, `-name=true`, `-name=false` */
  | { readonly kind: 'bool'; readonly initial: boolean }
  /** `-name=text` or `-name text` */
  | { readonly kind: 'text'; readonly initial: string }
  /** an integer in the notations of Go's strconv.ParseInt with base 0 */
  | { readonly kind: 'integer'; readonly initial: number }
  /** a duration such as `10s`; its value is in milliseconds */
  | { readonly kind: 'duration'; readonly initial: number }
  /** a flag that may be repeated */
  | { readonly kind: 'list'; readonly initial: readonly [] };

/** The flags of a command by name, without dashes. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** The type of the values of each kind of flag. */
interface ValueOf {
  readonly bool: boolean;
  readonly text: string;
  readonly integer: number;
  readonly duration: number;
  readonly list: readonly string[];
}

/** The values of the flags in a table. */
export type FlagValues<T extends FlagTable> = {
  readonly [K in keyof T]: ValueOf[T[K]['kind']];
};

/** Parses the text of a flag. Returns undefined if the text is invalid for its kind. */
export function parseFlagValue(
  { kind }: Flag,
  text: string,
  before: unknown,
): ValueOf[keyof ValueOf] | undefined {
  switch (kind) {
    case 'bool':
      return parseBool(text);
    case 'text':
      return text;
    case 'integer':
      return parseInteger(text);
    case 'duration':
      return parseDuration(text);
    case 'list':
      return [...(Array.isArray(before) ? before : []), text];
  }
}

const INTEGER = /^([+-]?)(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][0-9_]*)$/;

function parseInteger(text: string): number | undefined {
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const digits = (match[2] ?? '').replaceAll('_', '');
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  const value = octal === null ? Number(digits) : Number.parseInt(octal[1] ?? '', 8);
  if (!Number.isSafeInteger(value)) return undefined;
  return match[1] === '-' ? -value : value;
}
