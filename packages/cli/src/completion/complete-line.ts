import { readCommandLine, takeChdir } from '../command-line.ts';
import { COMMANDS } from '../command-table.ts';

/** The names of a project that can complete a word. */
export interface CompletionSources {
  /** names of workspaces, in the directory of `-chdir` or this one */
  workspaces(chdir: string): Promise<readonly string[]>;
  /** addresses of resource instances in the state */
  addresses(chdir: string): Promise<readonly string[]>;
  /** names of outputs in the state */
  outputs(chdir: string): Promise<readonly string[]>;
  /** returns paths with this prefix; directories end with a slash */
  paths(beginning: string): Promise<readonly string[]>;
}

type Source = Exclude<keyof CompletionSources, 'paths'>;

/** Completions for the arguments of commands that take no paths; `none` if nothing can be proposed. */
const ARGUMENTS: ReadonlyMap<string, Source | 'none'> = new Map([
  ['explain', 'addresses'],
  ['history', 'addresses'],
  ['history diff', 'none'],
  ['history show', 'none'],
  ['import', 'none'],
  ['output', 'outputs'],
  ['server import', 'none'],
  ['state identities', 'addresses'],
  ['state list', 'addresses'],
  ['state mv', 'addresses'],
  ['state restore', 'none'],
  ['state rm', 'addresses'],
  ['state show', 'addresses'],
  ['taint', 'addresses'],
  ['undo', 'none'],
  ['untaint', 'addresses'],
  ['workspace delete', 'workspaces'],
  ['workspace new', 'none'],
  ['workspace select', 'workspaces'],
]);

/** Completions for the values of flags that take no paths. */
const VALUES: ReadonlyMap<string, Source | readonly string[]> = new Map<
  string,
  Source | readonly string[]
>([
  ['annotations', ['azure', 'github']],
  ['allow-lossy', 'addresses'],
  ['exclude', 'addresses'],
  ['forget', 'addresses'],
  ['level', ['configured', 'noise', 'referenced', 'vanished']],
  ['lockfile', ['readonly']],
  ['replace', 'addresses'],
  ['target', 'addresses'],
  ['type', ['apply', 'plan', 'plan-destroy', 'plan-refresh-only']],
]);

const GLOBAL = ['-chdir=', '-help', '-version'];

/**
 * Returns the candidates for the last word of a command line, sorted. The line begins with the program's name and ends
 * at the cursor. Candidates that cannot be determined are omitted.
 */
export async function completeLine(
  line: string,
  sources: CompletionSources,
): Promise<readonly string[]> {
  const words = line.split(/\s+/);
  const current = words.at(-1) ?? '';
  const { args, directory } = takeChdir(words.slice(1, -1));
  const { command: called } = readCommandLine(args, (name) => COMMANDS.has(name));
  const starting = (candidates: readonly string[]): readonly string[] =>
    candidates.filter((candidate) => candidate.startsWith(current)).sort();
  const below = subcommands(COMMANDS.has(called) ? called : '');
  if (!COMMANDS.has(called)) {
    if (called !== '') return [];
    if (/^--?chdir=/.test(current)) return await pathValues(current, sources);
    return starting(current.startsWith('-') ? GLOBAL : below);
  }
  if (current.startsWith('-')) return await completeOption(called, current, directory, sources);
  if (below.length > 0) return starting(below);
  const source = ARGUMENTS.get(called);
  if (source === 'none') return [];
  if (source === undefined) return await sources.paths(current);
  return starting(await sources[source](directory ?? '.'));
}

/** Returns the words that continue or start a command. */
function subcommands(command: string): readonly string[] {
  const prefix = command === '' ? '' : `${command} `;
  const further = [...COMMANDS.keys()].filter(
    (name) => name.startsWith(prefix) && name !== command,
  );
  return [...new Set(further.map((name) => name.slice(prefix.length).split(' ')[0] ?? ''))];
}

async function completeOption(
  called: string,
  current: string,
  directory: string | undefined,
  sources: CompletionSources,
): Promise<readonly string[]> {
  const load = COMMANDS.get(called);
  const flags = load === undefined ? {} : ((await load()).command.flags ?? {});
  const equals = current.indexOf('=');
  if (equals < 0) {
    const options = Object.entries(flags).map(
      ([name, { kind }]) => `-${name}${kind === 'bool' ? '' : '='}`,
    );
    return ['-help', '-no-color', ...options].filter((each) => each.startsWith(current)).sort();
  }
  const name = current.slice(0, equals).replace(/^--?/, '');
  if (flags[name] === undefined) return [];
  const start = current.slice(0, equals + 1);
  const value = VALUES.get(name);
  if (value === undefined && flags[name].kind !== 'bool') return await pathValues(current, sources);
  const candidates =
    value === undefined
      ? ['false', 'true']
      : typeof value === 'string'
        ? await sources[value](directory ?? '.')
        : value;
  return candidates
    .map((each) => start + each)
    .filter((each) => each.startsWith(current))
    .sort();
}

async function pathValues(current: string, sources: CompletionSources): Promise<readonly string[]> {
  const start = current.slice(0, current.indexOf('=') + 1);
  return (await sources.paths(current.slice(start.length))).map((path) => start + path);
}
