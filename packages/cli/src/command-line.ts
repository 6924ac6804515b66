import { shellWords } from './flags/shell-words.ts';

/** The parsed command line, before any command is loaded. */
export interface CommandLine {
  /** the longest known command at the start of the words, otherwise the first word; "" if there is none */
  readonly command: string;
  readonly args: readonly string[];
  readonly help: boolean;
  /** flags before the command that are not global */
  readonly strayFlags: readonly string[];
}

const HELP = new Set(['-h', '-help', '--help']);
const VERSION = new Set(['-v', '-version', '--version']);

/** Returns true if any argument requests the version, which makes `version` the command. */
export function asksVersion(args: readonly string[]): boolean {
  return args.some((arg) => VERSION.has(arg));
}

/** Splits a command line. `isCommand` recognises the names of commands, also of several words. */
export function readCommandLine(
  args: readonly string[],
  isCommand: (name: string) => boolean,
): CommandLine {
  const strayFlags: string[] = [];
  let command = '';
  let rest: readonly string[] = [];
  let help = false;
  for (const [index, arg] of args.entries()) {
    if (arg === '--') break;
    if (HELP.has(arg)) {
      help = true;
      continue;
    }
    if (command !== '' || arg === '') continue;
    if (arg.startsWith('-')) {
      if (!VERSION.has(arg)) strayFlags.push(arg);
      continue;
    }
    command = arg;
    let words = 1;
    for (let end = index + 2; end <= args.length && !args[end - 1]?.startsWith('-'); end++) {
      const longer = args.slice(index, end).join(' ');
      if (isCommand(longer)) {
        command = longer;
        words = end - index;
      }
    }
    rest = args.slice(index + words);
  }
  return { command, args: rest, help, strayFlags };
}

/** Returns the arguments without `-chdir=DIR`, and the directory; an error text if it is malformed. */
export function takeChdir(args: readonly string[]): {
  readonly args: readonly string[];
  readonly directory?: string;
  readonly error?: string;
} {
  let at = -1;
  for (const [index, arg] of args.entries()) {
    if (!arg.startsWith('-')) break;
    if (/^--?chdir=?$/.test(arg)) {
      return {
        args,
        error: 'must include an equals sign followed by a directory path, like -chdir=example',
      };
    }
    if (/^--?chdir=/.test(arg)) at = index;
  }
  if (at < 0) return { args };
  const directory = (args[at] ?? '').replace(/^--?chdir=/, '');
  return { args: [...args.slice(0, at), ...args.slice(at + 1)], directory };
}

/**
 * Inserts the arguments of an environment variable after the command's last word; undefined if its text cannot be
 * split.
 */
export function withExtraArgs(
  args: readonly string[],
  command: string,
  extra: string | undefined,
): readonly string[] | undefined {
  if (extra === undefined || extra === '') return args;
  const words = shellWords(extra);
  if (words === undefined) return undefined;
  const at = args.indexOf(command.slice(command.lastIndexOf(' ') + 1)) + 1;
  return [...args.slice(0, at), ...words, ...args.slice(at)];
}
