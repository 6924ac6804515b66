import { resolve } from 'node:path';
import { listType, mapType, STRING } from '@terrane/cty';
import { error } from '@terrane/provider';
import type { ActionDefinition, Fields, ProviderDiagnostic } from '@terrane/provider';
import { type CommandPorts, lookUp, notFound } from './command.ts';
import { codeOf, systemFailure } from './system-failure.ts';

/** The action `local_command`: runs a program and shows what it printed. */
export function commandAction(ports: CommandPorts): ActionDefinition {
  return {
    description:
      'Invokes an executable on the local machine. All environment variables visible to the Terraform process are passed through to the child process. Additional environment variables can be explicitly set via the `environment` attribute; these are merged on top of the inherited environment, with the provided values taking precedence. After the child process successfully executes, the `stdout` will be returned for Terraform to display to the user.\n\nAny non-zero exit code will be treated as an error and will return a diagnostic to Terraform containing the `stderr` message if available.',
    descriptionKind: 'markdown',
    attributes: {
      arguments: {
        type: listType(STRING),
        optional: true,
        description:
          'Arguments to be passed to the given command. Any `null` arguments will be removed from the list.',
        descriptionKind: 'markdown',
      },
      command: {
        type: STRING,
        required: true,
        description: 'Executable name to be discovered on the PATH or absolute path to executable.',
      },
      environment: {
        type: mapType(STRING),
        optional: true,
        description:
          'Environment variables to set for the command. These are merged with the environment variables inherited from the Terraform process, with these values taking precedence.',
      },
      stdin: {
        type: STRING,
        optional: true,
        description: "Data to be passed to the given command's standard input.",
      },
      working_directory: {
        type: STRING,
        optional: true,
        description:
          'The directory path where the command should be executed, either an absolute path or relative to the Terraform working directory. If not provided, defaults to the Terraform working directory.',
      },
    },
    async plan(config) {
      const command = config.string('command');
      if (command === undefined) return [];
      const found = await lookUp(ports, command);
      if (!('problem' in found)) return [];
      return notFound(ports, 'action', command, found.problem).diagnostics;
    },
    invoke: ({ config, progress, signal }) => invoke(ports, config, progress, signal),
  };
}

async function invoke(
  ports: CommandPorts,
  config: Fields,
  progress: (message: string) => void,
  signal: AbortSignal | undefined,
): Promise<readonly ProviderDiagnostic[]> {
  const command = config.string('command') ?? '';
  const found = await lookUp(ports, command);
  if ('problem' in found) return notFound(ports, 'action', command, found.problem).diagnostics;
  const { spawn } = ports;
  const args = config.strings('arguments');
  const cwd = ports.environment?.cwd ?? '';
  const directory = config.string('working_directory') ?? '';
  const stdin = config.string('stdin');
  const failed = (detail: string): readonly ProviderDiagnostic[] => [
    error(
      'Command Execution Failed',
      `The action received an unexpected error while attempting to execute the command.\n\n${detail}`,
      'command',
    ),
  ];
  try {
    if (spawn === undefined) throw new Error('commands cannot be run here');
    const { code, stdout, stderr } = await spawn.run(found.path, args, {
      env: environmentOf(ports, config),
      ...(directory !== '' && { cwd: resolve(cwd, directory) }),
      ...(stdin !== undefined && { stdin }),
      ...(signal !== undefined && { signal }),
    });
    if (code === 0) {
      progress(`\n\n${stdout}\n`);
      return [];
    }
    const shown = [found.path, ...args].join(' ');
    return stderr === ''
      ? failed(`Command: ${found.path}\nError: exit status ${code}`)
      : failed(`Command: ${shown}\nCommand Error: ${stderr}\nState: exit status ${code}`);
  } catch (cause) {
    const missing = directory !== '' && codeOf(cause) === 'ENOENT';
    const why = missing
      ? systemFailure('chdir', directory, cause)
      : systemFailure('fork/exec', found.path, cause);
    return failed(`Command: ${found.path}\nError: ${why}`);
  }
}

/** The environment of this process with what the configuration adds. */
function environmentOf({ environment }: CommandPorts, config: Fields): Record<string, string> {
  const all = Object.fromEntries(environment?.entries() ?? []);
  const added = config.value('environment');
  if (added.isNull) return all;
  for (const [name, value] of added.entries()) {
    all[name.asString()] = value.isNull ? '' : value.asString();
  }
  return all;
}
