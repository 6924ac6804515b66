import {
  type Clock,
  type Environment,
  type FileSystem,
  type Logs,
  type Network,
  type Random,
  type RunningProgram,
  type Spawn,
  userErrorText,
  pathsOf,
} from '@terrane/host';
import { makeCertificate } from './certificate.ts';
import type { Certificate } from './certificate.ts';
import { forwardLog } from './forward-log.ts';
import { handshakeEnvironment, isLocal, parseHandshake } from './handshake.ts';
import type { Handshake } from './handshake.ts';
import { PluginError } from './plugin-error.ts';
import { quietLogs } from './quiet-logs.ts';
import { StderrTail } from './stderr-tail.ts';

/** The host interfaces for starting plugins. */
export interface PluginPorts {
  readonly files: FileSystem;
  readonly spawn: Spawn;
  readonly network: Network;
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
  /** receives the output of plugins; undefined: it is dropped */
  readonly logs?: Logs;
}

/** A running plugin after its handshake. */
export interface PluginProcess {
  readonly handshake: Handshake;
  /** our side of the mutual TLS; undefined: TLS is switched off */
  readonly certificate: Certificate | undefined;
  readonly program: RunningProgram;
  readonly stderr: StderrTail;
}

/** The time limit for the handshake of a plugin. */
const START_LIMIT_MS = 60_000;
/** The time that a program with an invalid handshake may run on, so that its error output is complete. */
const LAST_WORDS_MS = 300;

/**
 * Starts the executable of a plugin and waits for its handshake.
 *
 * @throws PluginError, with the plugin's standard error, if it does not start, exits, sends nothing within a minute, or
 * sends another line
 */
export async function startProcess(path: string, ports: PluginPorts): Promise<PluginProcess> {
  const { environment, clock } = ports;
  const plain = (environment.get('TF_DISABLE_PLUGIN_TLS') ?? '') !== '';
  const certificate = plain ? undefined : makeCertificate(clock, ports.random);
  const stderr = new StderrTail();
  const log = ports.logs?.provider;
  const forward =
    log === undefined ? undefined : forwardLog(log, pathsOf(environment).basename(path));
  if (certificate !== undefined) {
    log?.write('info', 'provider', 'configuring client automatic mTLS');
  }
  log?.write('debug', 'provider', 'starting plugin', { path, args: [path] });
  let tellLine = (_: string): void => {};
  const firstLine = new Promise<string>((resolve) => {
    tellLine = resolve;
  });
  let program: RunningProgram;
  try {
    program = await ports.spawn.start(path, [], {
      env: {
        ...Object.fromEntries(environment.entries()),
        ...quietLogs(path, (name) => environment.get(name)),
        ...handshakeEnvironment(certificate?.certificate, environment.get('TMPDIR')),
      },
      onStdout: tellLine,
      onStderr: (line) => {
        stderr.push(line);
        forward?.(line);
      },
    });
  } catch (error) {
    throw new PluginError(userErrorText(error));
  }
  log?.write('debug', 'provider', 'waiting for RPC address', { plugin: path });
  void program.ended.then(({ code }) => {
    const level = code === 0 ? 'info' : 'error';
    const failed = code === 0 ? {} : { error: `exit status ${code}` };
    log?.write(level, 'provider', 'plugin process exited', { plugin: path, ...failed });
  });
  const lineReceived = new AbortController();
  try {
    const line = await handshakeLine(path, firstLine, program, clock, lineReceived.signal);
    const handshake = usableHandshake(line, certificate !== undefined);
    log?.write('debug', 'provider', 'using plugin', { version: handshake.version });
    return { handshake, certificate, program, stderr };
  } catch (error) {
    // A program that is not a plugin often prints this fact and exits.
    await Promise.race([program.ended, clock.sleep(LAST_WORDS_MS, lineReceived.signal)]);
    program.kill();
    await program.ended;
    if (!(error instanceof PluginError)) throw error;
    throw new PluginError(`${error.message}${quoteStderr(stderr)}`);
  } finally {
    lineReceived.abort();
  }
}

/** Waits for the first line of a plugin. @throws PluginError if it exits before, or prints nothing in time */
function handshakeLine(
  path: string,
  firstLine: Promise<string>,
  program: RunningProgram,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  return Promise.race([
    firstLine,
    program.ended.then(({ code }) => {
      throw new PluginError(
        `plugin exited before we could connect: ${path} ended with code ${code}`,
      );
    }),
    clock.sleep(START_LIMIT_MS, signal).then(() => {
      throw new PluginError(
        `timeout while waiting for plugin to start: ${path} did not say within ${START_LIMIT_MS / 1000} seconds where it listens`,
      );
    }),
  ]);
}

/** Parses the handshake. @throws PluginError for an address elsewhere, and without the required TLS */
function usableHandshake(line: string, usesTls: boolean): Handshake {
  const handshake = parseHandshake(line);
  if (!isLocal(handshake)) {
    throw new PluginError(
      `the plugin says that it listens at ${handshake.address}, which is not an address of this machine for local connections. Plugins listen at a Unix socket, or at 127.0.0.1`,
    );
  }
  if (usesTls && handshake.certificate === undefined) {
    throw new PluginError(
      'the plugin offers no TLS. It was built with tools that are too old for it; set TF_DISABLE_PLUGIN_TLS=1 to go without',
    );
  }
  return handshake;
}

/** Formats the standard error of a plugin as the end of a message. */
export function quoteStderr(stderr: StderrTail): string {
  const text = stderr.text();
  return text === '' ? '' : `\n\nThe plugin wrote this to its standard error:\n\n${text}`;
}
