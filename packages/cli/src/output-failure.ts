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
  const [name = '', subcommand = ''] = args.filter((arg) => !arg.startsWith('-'));
  const isChanging = CHANGING.has(name) || CHANGING.has(`${name} ${subcommand}`);
  const failed = new Set(failures.map(({ name }) => name));
  const working = (['standard error', 'standard output'] as const).find(
    (name) => !failed.has(name),
  );
  const reported = failures.filter(({ error }) => isChanging || codeOf(error) !== 'EPIPE');
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function reasonOf(error: unknown): string {
  if (codeOf(error) === 'EPIPE') return 'its reader has gone';
  return fileError(error)?.reason ?? errorText(error);
}
