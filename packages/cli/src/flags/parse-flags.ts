import { closestName } from '@terrane/hcl';
import { type Flag, type FlagTable, type FlagValues, parseFlagValue } from './flag.ts';
import { VIEW_FLAG_NAMES } from './view-flags.ts';

/** A parsed command line. */
export interface ParsedFlags<V> {
  readonly values: V;
  /** arguments from the first one that is not a flag */
  readonly rest: readonly string[];
  /** flags in the order of the command line */
  readonly occurrences: readonly { readonly name: string; readonly text: string }[];
  /** the error that ended parsing, worded as Go's flag package; `rest` contains the remaining arguments */
  readonly error?: string;
}

/**
 * Parses flags as Go's flag package does: one dash or two, `-name=value` or `-name value`; a bool takes a value only
 * after `=`. Parsing ends at the first other argument and after `--`.
 */
export function parseFlags<T extends FlagTable>(
  flags: T,
  args: readonly string[],
): ParsedFlags<FlagValues<T>> {
  const table = new Map<string, Flag>(Object.entries(flags));
  const values: Record<string, unknown> = {};
  for (const [name, flag] of table) values[name] = flag.initial;
  const occurrences: { name: string; text: string }[] = [];
  let at = 0;
  let error: string | undefined;
  while (at < args.length) {
    const arg = args[at] ?? '';
    if (arg.length < 2 || !arg.startsWith('-')) break;
    at++;
    if (arg === '--') break;
    const body = arg.slice(arg.startsWith('--') ? 2 : 1);
    if (body === '' || body.startsWith('-') || body.startsWith('=')) {
      error = `bad flag syntax: ${arg}`;
      break;
    }
    const equals = body.indexOf('=');
    const name = equals < 0 ? body : body.slice(0, equals);
    const flag = table.get(name);
    if (flag === undefined) {
      error =
        name === 'help' || name === 'h'
          ? 'flag: help requested'
          : `flag provided but not defined: -${name}${advice(name, table.keys())}`;
      break;
    }
    let text = equals < 0 ? undefined : body.slice(equals + 1);
    if (text === undefined && flag.kind !== 'bool') {
      if (at >= args.length) {
        error = `flag needs an argument: -${name}`;
        break;
      }
      text = args[at++];
    }
    const value = parseFlagValue(flag, text ?? 'true', values[name]);
    if (value === undefined) {
      error =
        flag.kind === 'bool'
          ? `invalid boolean value ${quote(text ?? '')} for -${name}: parse error`
          : `invalid value ${quote(text ?? '')} for flag -${name}: parse error`;
      break;
    }
    values[name] = value;
    occurrences.push({ name, text: text ?? 'true' });
  }
  // Every flag of the table has its initial or its parsed value.
  const parsed = { values: values as FlagValues<T>, rest: args.slice(at), occurrences };
  return error === undefined ? parsed : { ...parsed, error };
}

/** Returns a suggestion for an undefined flag, or "". */
function advice(name: string, known: Iterable<string>): string {
  if (name === 'chdir') return '. It is a global option: put it before the command.';
  const suggestion = closestName(name, [...known, ...VIEW_FLAG_NAMES, 'help']);
  return suggestion === undefined ? '' : `. Did you mean -${suggestion}?`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
