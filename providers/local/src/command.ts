import { pathsOf } from '@terrane/host';
import { quoteText } from '@terrane/cty';
import type { ProviderPorts } from '@terrane/provider';
import { ProviderError } from '@terrane/provider/sdk';
import type { Findings } from '@terrane/provider/sdk';
import { codeOf, systemFailure } from './system-failure.ts';

/** The host interfaces for running commands. */
export type CommandPorts = Pick<ProviderPorts, 'files' | 'spawn' | 'environment'>;

/** The name of a kind of command in messages. */
export type CommandKind = 'data source' | 'ephemeral resource' | 'action';

/** The command line and its environment. */
export interface Command {
  readonly command: string;
  readonly arguments: readonly (string | null)[] | null;
  readonly stdin: string | null;
  readonly working_directory: string | null;
}

/** The result of a command. */
export interface CommandResult {
  readonly exit_code: number;
  readonly stdout: string | null;
  readonly stderr: string | null;
}

/** Returns the arguments of a command, without null ones. */
export function argumentsOf({ arguments: args }: Command): readonly string[] {
  return (args ?? []).filter((argument) => argument !== null);
}

/** Runs the command that a configuration describes. */
export async function runCommand(
  ports: CommandPorts,
  kind: CommandKind,
  config: Command & { readonly allow_non_zero_exit_code: boolean | null },
  report: Findings<never>['report'],
): Promise<CommandResult> {
  const path = await lookUp(ports, kind, config.command);
  const { spawn } = ports;
  const args = argumentsOf(config);
  const commandLine = [path, ...args].join(' ');
  const failed = (detail: string) =>
    new ProviderError('Command Execution Failed', detail, 'command');
  const cwd = ports.environment?.cwd ?? '';
  const directory = config.working_directory ?? '';
  const { stdin } = config;
  try {
    if (spawn === undefined) throw new Error('commands are not supported on this host');
    const { code, stdout, stderr } = await spawn.run(path, args, {
      ...(directory !== '' && {
        cwd: pathsOf(ports.environment ?? { platform: '' }).resolve(cwd, directory),
      }),
      ...(stdin !== null && { stdin }),
    });
    if (code !== 0 && config.allow_non_zero_exit_code !== true) {
      const detail = `The ${kind} executed the command but received a non-zero exit code. If a non-zero exit code is expected and can be handled in configuration, set "allow_non_zero_exit_code" to true.\n\nCommand: ${commandLine}\nCommand Error: ${stderr}\nState: exit status ${code}`;
      report(failed(detail).diagnostics);
    }
    return {
      exit_code: code,
      stdout: stdout === '' ? null : stdout,
      stderr: stderr === '' ? null : stderr,
    };
  } catch (cause) {
    const missing = directory !== '' && codeOf(cause) === 'ENOENT';
    const reason = missing
      ? systemFailure('chdir', directory, cause)
      : systemFailure('fork/exec', path, cause);
    throw failed(
      `The ${kind} received an unexpected error while attempting to execute the command.\n\nCommand: ${commandLine}\nState: ${reason}`,
    );
  }
}

/** Resolves the executable file of a command as shells do; throws an error if it is not found. */
export async function lookUp(
  ports: CommandPorts,
  kind: CommandKind,
  command: string,
): Promise<string> {
  const result = await search(ports, command);
  if ('path' in result) return result.path;
  throw notFound(ports, kind, command, result.problem);
}

async function search(
  { files, environment }: CommandPorts,
  command: string,
): Promise<{ readonly path: string } | { readonly problem: string }> {
  const problem = (reason: string) => ({ problem: `exec: ${quoteText(command)}: ${reason}` });
  const { isAbsolute, join } = pathsOf(environment ?? { platform: '' });
  const windows = environment?.platform === 'win32';
  if (windows ? /[\\/:]/.test(command) : command.includes('/')) {
    const stats = await files.stat(command).catch(() => undefined);
    if (stats === undefined) return problem(`stat ${command}: no such file or directory`);
    if (stats.kind === 'directory') return problem('is a directory');
    return windows || (stats.mode & 0o111) !== 0 ? { path: command } : problem('permission denied');
  }
  const endings = windows ? (environment.get('PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  const directories = (environment?.get('PATH') ?? '').split(windows ? ';' : ':');
  for (const directory of directories) {
    for (const ending of endings) {
      const path = join(directory === '' ? '.' : directory, command + ending);
      const stats = await files.stat(path).catch(() => undefined);
      if (stats?.kind !== 'file' || (!windows && (stats.mode & 0o111) === 0)) continue;
      if (isAbsolute(path)) return { path };
      return problem('cannot run executable found relative to current directory');
    }
  }
  return problem(`executable file not found in ${windows ? '%PATH%' : '$PATH'}`);
}

function notFound(
  { environment }: CommandPorts,
  kind: CommandKind,
  command: string,
  problem: string,
): ProviderError {
  const platform = environment?.platform === 'win32' ? 'windows' : (environment?.platform ?? '');
  const detail = [
    `The ${kind} received an unexpected error while attempting to find the command.`,
    'The command must be accessible according to the platform where Terraform is running.',
    "If the expected command should be automatically found on the platform where Terraform is running, ensure that the command is in an expected directory. On Unix-based platforms, these directories are typically searched based on the '$PATH' environment variable. On Windows-based platforms, these directories are typically searched based on the '%PATH%' environment variable.",
    'If the expected command is relative to the Terraform configuration, it is recommended that the command name includes the interpolated value of \'path.module\' before the command name to ensure that it is compatible with varying module usage. For example: "${path.module}/my-command"',
    'The command must also be executable according to the platform where Terraform is running. On Unix-based platforms, the file on the filesystem must have the executable bit set. On Windows-based platforms, no action is typically necessary.',
    `Platform: ${platform}\nCommand: ${command}\nError: ${problem}`,
  ].join('\n\n');
  return new ProviderError('Command Lookup Failed', detail, 'command');
}
