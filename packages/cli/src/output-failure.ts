import { fileError, programCommand, errorText } from '@terrane/host';
import type { OutputFailure } from './process-output.ts';
import type { OutputStream } from './world.ts';

/** Commands that change objects or states. Users rely on their output to know the changes. */
const CHANGING: ReadonlySet<string> = new Set([
  'adopt',
  'apply',
  'destroy',
  'env delete',
  'env new',
  'env select',
  'force-unlock',
  'import',
  'mcp approve',
  'refresh',
  'server import',
  'state lock',
  'state move',
  'state mv',
  'state push',
  'state recover',
  'state remove',
  'state replace-provider',
  'state restore',
  'state rm',
  'taint',
  'test',
  'test cleanup',
  'undo',
  'untaint',
  'workspace delete',
  'workspace new',
  'workspace select',
]);

/** Options with which `init` changes states. */
const MIGRATING = /^(?:migrate-state|force-copy)(?:$|=true$)/;

/**
 * Reports failed output on a stream that still works, and returns the exit code: 1 if the command succeeded otherwise.
 * A closed reader, such as `head`, is reported only for commands that change objects or states.
 */
export function reportOutputFailures(
  failures: readonly OutputFailure[],
  args: readonly string[],
  code: number,
  streams: Readonly<Record<OutputFailure['name'], OutputStream>>,
): number {
  const isChanging = changesSomething(args);
  const failed = new Set(failures.map(({ name }) => name));
  const working = (['standard error', 'standard output'] as const).find(
    (name) => !failed.has(name),
  );
  const reported = failures.filter(({ error }) => isChanging || !isClosedReader(error));
  if (working !== undefined && reported.length > 0) {
    const reasons = reported.map(({ name, error }) => `${name}: ${reasonOf(error)}`).join('; ');
    const advice = isChanging
      ? ` What it did is recorded in the state: "${programCommand('show')}" and "${programCommand('plan')}" tell where things stand.`
      : '';
    streams[working].write(
      `\nError: Not all output could be written\n\n${reasons}. The command was not interrupted by that and ended with exit code ${code}.${advice}\n`,
    );
  }
  return code === 1 ? code : 1;
}

function changesSomething(args: readonly string[]): boolean {
  const options = args.filter((arg) => arg.startsWith('-')).map((arg) => arg.replace(/^--?/, ''));
  if (options.some((option) => option === 'help' || option === 'h')) return false;
  const [name = '', subcommand = ''] = args.filter((arg) => !arg.startsWith('-'));
  if (name === 'init') return options.some((option) => MIGRATING.test(option));
  return CHANGING.has(name) || CHANGING.has(`${name} ${subcommand}`);
}

/** Sockets report a closed reader in another way than pipes. */
function isClosedReader(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'ECONNRESET';
}

function reasonOf(error: unknown): string {
  if (isClosedReader(error)) return 'its reader has gone';
  return fileError(error)?.reason ?? errorText(error);
}
