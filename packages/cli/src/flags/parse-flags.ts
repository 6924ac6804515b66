import { closestName } from '@terrane/hcl';
import type { Flag } from './flag.ts';
import { VIEW_FLAG_NAMES } from './view-flags.ts';

/** The options that a command knows, by name without dashes. */
export type FlagTable<V> = { readonly [K in keyof V]: Flag<V[K]> };

/** What a command line said. */
export interface ParsedFlags<V> {
  readonly values: V;
  /** arguments from the first one on that is no option */
  readonly rest: readonly string[];
  /** the options in the order in which they were given */
  readonly given: readonly { readonly name: string; readonly text: string }[];
  /** why parsing stopped, in the words of Go's flag package; `rest` is what came after it */
  readonly error?: string;
}

/**
 * Reads options as Go's flag package does: one dash or two, `-name=value` or `-name value`, a bool
 * takes a value only behind `=`, and everything after the first other argument, or after `--`, is
 * left alone.
 */
export function parseFlags<V>(flags: FlagTable<V>, args: readonly string[]): ParsedFlags<V> {
  const table = new Map<string, Flag<unknown>>(Object.entries(flags));
  const values: Record<string, unknown> = {};
  for (const [name, flag] of table) values[name] = flag.initial;
  const given: { name: string; text: string }[] = [];
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
    if (text === undefined && !flag.isBool) {
      if (at >= args.length) {
        error = `flag needs an argument: -${name}`;
        break;
      }
      text = args[at++];
    }
    const value = flag.read(text ?? 'true', values[name]);
    if (value === undefined) {
      error = flag.isBool
        ? `invalid boolean value ${quote(text ?? '')} for -${name}: parse error`
        : `invalid value ${quote(text ?? '')} for flag -${name}: parse error`;
      break;
    }
    values[name] = value;
    given.push({ name, text: text ?? 'true' });
  }
  // Every name of V has been set above, to what its flag gave.
  const parsed = { values: values as V, rest: args.slice(at), given };
  return error === undefined ? parsed : { ...parsed, error };
}

/** Returns what may have been meant by an option that the command does not have, or "". */
function advice(name: string, known: Iterable<string>): string {
  if (name === 'chdir') return '. It is a global option: put it before the command.';
  const suggestion = closestName(name, [...known, ...VIEW_FLAG_NAMES, 'help']);
  return suggestion === undefined ? '' : `. Did you mean -${suggestion}?`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
