import { pathsOf } from '@terrane/host';
import { action, ifKnown, list, map, nullable, ProviderError, string } from '@terrane/provider/sdk';
import type { Action } from '@terrane/provider/sdk';
import { argumentsOf, type Command, type CommandPorts, lookUp } from './command.ts';
import { codeOf, systemFailure } from './system-failure.ts';

/** The action `local_command`: runs a program and prints its output. */
export function commandAction(ports: CommandPorts): Action {
  return action({
    description:
      'Invokes an executable on the local machine. All environment variables visible to the Terraform process are passed through to the child process. Additional environment variables can be explicitly set via the `environment` attribute; these are merged on top of the inherited environment, with the provided values taking precedence. After the child process successfully executes, the `stdout` will be returned for Terraform to display to the user.\n\nAny non-zero exit code will be treated as an error and will return a diagnostic to Terraform containing the `stderr` message if available.',
    descriptionKind: 'markdown',
    attributes: {
      arguments: list(nullable(string), {
        optional: true,
        description:
          'Arguments to be passed to the given command. Any `null` arguments will be removed from the list.',
        descriptionKind: 'markdown',
      }),
      command: string({
        required: true,
        description: 'Executable name to be discovered on the PATH or absolute path to executable.',
      }),
      environment: map(nullable(string), {
        optional: true,
        description:
          'Environment variables to set for the command. These are merged with the environment variables inherited from the Terraform process, with these values taking precedence.',
      }),
      stdin: string({
        optional: true,
        description: "Data to be passed to the given command's standard input.",
      }),
      working_directory: string({
        optional: true,
        description:
          'The directory path where the command should be executed, either an absolute path or relative to the Terraform working directory. If not provided, defaults to the Terraform working directory.',
      }),
    },
    plan: async ({ config }) => {
      const command = ifKnown(config.command);
      if (command !== undefined) await lookUp(ports, 'action', command);
    },
    invoke: ({ config, progress, signal }) => invoke(ports, config, progress, signal),
  });
}

interface ActionCommand extends Command {
  readonly environment: Readonly<Record<string, string | null>> | null;
}

async function invoke(
  ports: CommandPorts,
  config: ActionCommand,
  progress: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = await lookUp(ports, 'action', config.command);
  const { spawn } = ports;
  const args = argumentsOf(config);
  const cwd = ports.environment?.cwd ?? '';
  const directory = config.working_directory ?? '';
  const { stdin } = config;
  const failed = (detail: string) =>
    new ProviderError(
      'Command Execution Failed',
      `The action received an unexpected error while attempting to execute the command.\n\n${detail}`,
      'command',
    );
  const run = async () => {
    if (spawn === undefined) throw new Error('commands are not supported on this host');
    return await spawn.run(path, args, {
      env: environmentOf(ports, config),
      ...(directory !== '' && {
        cwd: pathsOf(ports.environment ?? { platform: '' }).resolve(cwd, directory),
      }),
      ...(stdin !== null && { stdin }),
      signal,
    });
  };
  const { code, stdout, stderr } = await run().catch((cause: unknown) => {
    const missing = directory !== '' && codeOf(cause) === 'ENOENT';
    const reason = missing
      ? systemFailure('chdir', directory, cause)
      : systemFailure('fork/exec', path, cause);
    throw failed(`Command: ${path}\nError: ${reason}`);
  });
  if (code === 0) {
    progress(`\n\n${stdout}\n`);
    return;
  }
  const commandLine = [path, ...args].join(' ');
  throw stderr === ''
    ? failed(`Command: ${path}\nError: exit status ${code}`)
    : failed(`Command: ${commandLine}\nCommand Error: ${stderr}\nState: exit status ${code}`);
}

/** Returns the environment of this process, extended by the configuration. */
function environmentOf(
  { environment }: CommandPorts,
  config: ActionCommand,
): Record<string, string> {
  const all = Object.fromEntries(environment?.entries() ?? []);
  for (const [name, value] of Object.entries(config.environment ?? {})) all[name] = value ?? '';
  return all;
}
