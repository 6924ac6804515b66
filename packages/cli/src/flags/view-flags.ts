import type { Command, CommandContext } from '../command.ts';
import { parseBool } from './parse-bool.ts';

/** Output options of a command. */
export type ViewOptions = Pick<
  CommandContext,
  | 'noColor'
  | 'compactWarnings'
  | 'consolidateWarnings'
  | 'consolidateErrors'
  | 'concise'
  | 'showSensitive'
  | 'deprecations'
>;

type Switch = Exclude<keyof ViewOptions, 'deprecations'>;

/** View flags, which may be anywhere, also after positional arguments. */
const FLAGS: ReadonlyMap<string, { readonly option: Switch; readonly isPlain: boolean }> = new Map([
  ['no-color', { option: 'noColor', isPlain: true }],
  ['compact-warnings', { option: 'compactWarnings', isPlain: true }],
  ['consolidate-warnings', { option: 'consolidateWarnings', isPlain: false }],
  ['consolidate-errors', { option: 'consolidateErrors', isPlain: false }],
  ['concise', { option: 'concise', isPlain: false }],
  ['show-sensitive', { option: 'showSensitive', isPlain: false }],
]);

/** Names of the options of the view that every command has. */
export const VIEW_FLAG_NAMES: readonly string[] = [
  'no-color',
  'compact-warnings',
  'consolidate-warnings',
  'consolidate-errors',
  'concise',
];

/** The flag that selects deprecation warnings; unknown levels select all. */
const DEPRECATION = /^--?deprecation=module:(.*)$/s;

/** The view flag that only commands with it in their flag table accept. */
const OF_SOME = 'show-sensitive';

/** Removes the view flags from the arguments of a command. Other arguments and malformed flags remain. */
export function takeViewFlags(
  args: readonly string[],
  { flags = {} }: Pick<Command, 'flags'>,
): { readonly rest: readonly string[]; readonly options: ViewOptions } {
  const options: { -readonly [K in keyof ViewOptions]: ViewOptions[K] } = {
    noColor: false,
    compactWarnings: false,
    consolidateWarnings: true,
    consolidateErrors: false,
    concise: false,
    showSensitive: false,
    deprecations: 'all',
  };
  const rest = args.filter((arg) => {
    const level = DEPRECATION.exec(arg)?.[1];
    if (level !== undefined) {
      options.deprecations = level === 'local' || level === 'none' ? level : 'all';
      return false;
    }
    const [, name = '', text] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const flag = FLAGS.get(name);
    const value = text === undefined ? true : parseBool(text);
    if (flag === undefined || value === undefined || (flag.isPlain && text !== undefined))
      return true;
    if (name === OF_SOME && !Object.hasOwn(flags, OF_SOME)) return true;
    options[flag.option] = value;
    return false;
  });
  return { rest, options };
}
