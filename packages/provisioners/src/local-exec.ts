import { quoteText, type Value } from '@terrane/cty';
import { type Host, TextTail, userErrorText } from '@terrane/host';
import type { ProviderDiagnostic } from '@terrane/provider';
import type { Provisioner } from './provisioner.ts';

/** The number of characters at the end of a command's output that an error quotes. */
const QUOTED_OUTPUT = 8 * 1024;

/**
 * `local-exec`: runs a command on this machine, with a shell unless another interpreter is configured, in the
 * environment of this program with the variables of the block. If the run is traced, `TRACEPARENT` names the current
 * span.
 */
export const localExec: Provisioner = async (host, { config, output, signal }) => {
  const command = config.attr('command').asString();
  if (command === '') {
    return failure(
      'Invalid local-exec provisioner command',
      'The command must be a non-empty string.',
    );
  }
  const words = [...interpreterOf(config, host.environment.platform), command];
  const isQuiet = textOrTrue(config.attr('quiet'));
  output(
    isQuiet
      ? 'local-exec: Executing: Suppressed by quiet=true'
      : `Executing: [${words.map(quoteText).join(' ')}]`,
  );
  const directory = config.attr('working_dir');
  const cwd = directory.isNull ? '' : directory.asString();
  const commandEnvironment = environmentOf(config);
  const printed = new TextTail(QUOTED_OUTPUT);
  const [program = '', ...args] = words;
  let problem: string | undefined;
  try {
    const { code } = await host.spawn.run(program, args, {
      env: {
        ...Object.fromEntries(host.environment.entries()),
        ...traceEnvironment(host, commandEnvironment),
        ...commandEnvironment,
      },
      onOutput: (line) => {
        printed.write(`${line}\n`);
        output(line);
      },
      outputRoom: host.outputRoom,
      ...(cwd === '' ? {} : { cwd }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (code !== 0) problem = signal?.aborted === true ? 'signal: killed' : `exit status ${code}`;
  } catch (error) {
    if (signal?.aborted === true) problem = 'context canceled';
    else if (cwd !== '' && host.files.statSync(cwd)?.kind !== 'directory')
      problem = `chdir ${cwd}: no such file or directory`;
    else problem = startProblem(program, error);
  }
  if (problem === undefined) return [];
  // After an interrupt the output is not the cause, and it has been printed already.
  const quoted = signal?.aborted === true ? '' : ` Output: ${printed.text}`;
  return failure(
    'local-exec provisioner error',
    `Error running command '${command}': ${problem}.${quoted}`,
  );
};

function failure(summary: string, detail: string): readonly ProviderDiagnostic[] {
  return [{ severity: 'error', summary, detail }];
}

function textOrTrue(flag: Value): boolean {
  return !flag.isNull && flag.asBool();
}

/** Returns the words before the command, without nulls. */
function interpreterOf(config: Value, platform: string): readonly string[] {
  const interpreter = config.attr('interpreter');
  if (!interpreter.isNull && interpreter.length > 0) {
    return interpreter
      .elements()
      .filter((word) => !word.isNull)
      .map((word) => word.asString());
  }
  return platform === 'win32' ? ['cmd', '/C'] : ['/bin/sh', '-c'];
}

/**
 * The environment variable by which the command adds its spans to the trace of the run, unless the block sets it, in
 * upper or lower case: as in OpenTofu.
 */
function traceEnvironment(
  { traces }: Host,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  if (Object.keys(environment).some((name) => name.toUpperCase() === 'TRACEPARENT')) return {};
  const traceparent = traces?.traceparent();
  return traceparent === undefined ? {} : { TRACEPARENT: traceparent };
}

function environmentOf(config: Value): Record<string, string> {
  const environment = config.attr('environment');
  if (environment.isNull) return {};
  const variables: Record<string, string> = {};
  for (const [name, value] of environment.entries())
    if (!value.isNull) variables[name.asString()] = value.asString();
  return variables;
}

/** Formats the reason why a program could not be started. */
function startProblem(program: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason =
    code === 'ENOENT'
      ? 'no such file or directory'
      : code === 'EACCES'
        ? 'permission denied'
        : userErrorText(error);
  if (program.includes('/')) return `fork/exec ${program}: ${reason}`;
  return code === 'ENOENT'
    ? `exec: ${quoteText(program)}: executable file not found in $PATH`
    : `exec: ${quoteText(program)}: ${reason}`;
}
