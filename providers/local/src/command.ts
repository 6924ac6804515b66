import { isAbsolute, join, resolve } from 'node:path';
import { nullOf, number, quoteText, str, STRING } from '@terrane/cty';
import { error } from '@terrane/provider';
import type { Fields, Outcome, ProviderPorts } from '@terrane/provider';
import { codeOf, systemFailure } from './system-failure.ts';

/** What running commands needs of the outside. */
export type CommandPorts = Pick<ProviderPorts, 'files' | 'spawn' | 'environment'>;

/** How a kind of command is named in messages. */
export type CommandKind = 'data source' | 'ephemeral resource' | 'action';

/** Runs the command that a configuration describes. */
export async function runCommand(
  ports: CommandPorts,
  kind: CommandKind,
  config: Fields,
): Promise<Outcome> {
  const command = config.string('command') ?? '';
  const found = await lookUp(ports, command);
  if ('problem' in found) return notFound(ports, kind, command, found.problem);
  const { spawn } = ports;
  const args = config.strings('arguments');
  const shown = [found.path, ...args].join(' ');
  const failed = (detail: string): Outcome => ({
    diagnostics: [error('Command Execution Failed', detail, 'command')],
  });
  const cwd = ports.environment?.cwd ?? '';
  const directory = config.string('working_directory') ?? '';
  const stdin = config.string('stdin');
  try {
    if (spawn === undefined) throw new Error('commands cannot be run here');
    const { code, stdout, stderr } = await spawn.run(found.path, args, {
      ...(directory !== '' && { cwd: resolve(cwd, directory) }),
      ...(stdin !== undefined && { stdin }),
    });
    const state = config.with({
      exit_code: number(code),
      stdout: stdout === '' ? nullOf(STRING) : str(stdout),
      stderr: stderr === '' ? nullOf(STRING) : str(stderr),
    });
    if (code === 0 || config.bool('allow_non_zero_exit_code') === true) return { state };
    const detail = `The ${kind} executed the command but received a non-zero exit code. If a non-zero exit code is expected and can be handled in configuration, set "allow_non_zero_exit_code" to true.\n\nCommand: ${shown}\nCommand Error: ${stderr}\nState: exit status ${code}`;
    return { state, ...failed(detail) };
  } catch (cause) {
    const missing = directory !== '' && codeOf(cause) === 'ENOENT';
    const why = missing
      ? systemFailure('chdir', directory, cause)
      : systemFailure('fork/exec', found.path, cause);
    return failed(
      `The ${kind} received an unexpected error while attempting to execute the command.\n\nCommand: ${shown}\nState: ${why}`,
    );
  }
}

/** The executable file for a command, looked for as shells do. */
export async function lookUp(
  { files, environment }: CommandPorts,
  command: string,
): Promise<{ readonly path: string } | { readonly problem: string }> {
  const problem = (why: string) => ({ problem: `exec: ${quoteText(command)}: ${why}` });
  const windows = environment?.platform === 'win32';
  if (windows ? /[\\/:]/.test(command) : command.includes('/')) {
    const at = await files.stat(command).catch(() => undefined);
    if (at === undefined) return problem(`stat ${command}: no such file or directory`);
    if (at.kind === 'directory') return problem('is a directory');
    return windows || (at.mode & 0o111) !== 0 ? { path: command } : problem('permission denied');
  }
  const endings = windows ? (environment.get('PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  const directories = (environment?.get('PATH') ?? '').split(windows ? ';' : ':');
  for (const directory of directories) {
    for (const ending of endings) {
      const path = join(directory === '' ? '.' : directory, command + ending);
      const at = await files.stat(path).catch(() => undefined);
      if (at?.kind !== 'file' || (!windows && (at.mode & 0o111) === 0)) continue;
      if (isAbsolute(path)) return { path };
      return problem('cannot run executable found relative to current directory');
    }
  }
  return problem(`executable file not found in ${windows ? '%PATH%' : '$PATH'}`);
}

/** A command that cannot be run, as a diagnostic. */
export function notFound(
  { environment }: CommandPorts,
  kind: CommandKind,
  command: string,
  problem: string,
): Pick<Required<Outcome>, 'diagnostics'> {
  const platform = environment?.platform === 'win32' ? 'windows' : (environment?.platform ?? '');
  const detail = [
    `The ${kind} received an unexpected error while attempting to find the command.`,
    'The command must be accessible according to the platform where Terraform is running.',
    "If the expected command should be automatically found on the platform where Terraform is running, ensure that the command is in an expected directory. On Unix-based platforms, these directories are typically searched based on the '$PATH' environment variable. On Windows-based platforms, these directories are typically searched based on the '%PATH%' environment variable.",
    'If the expected command is relative to the Terraform configuration, it is recommended that the command name includes the interpolated value of \'path.module\' before the command name to ensure that it is compatible with varying module usage. For example: "${path.module}/my-command"',
    'The command must also be executable according to the platform where Terraform is running. On Unix-based platforms, the file on the filesystem must have the executable bit set. On Windows-based platforms, no action is typically necessary.',
    `Platform: ${platform}\nCommand: ${command}\nError: ${problem}`,
  ].join('\n\n');
  return { diagnostics: [error('Command Lookup Failed', detail, 'command')] };
}
