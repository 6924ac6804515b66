import type { ChildProcess, spawn as spawnProcess } from 'node:child_process';
import { constants as fileConstants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

import { findOnPath } from './find-on-path.ts';
import type { RunningProgram, Spawn, SpawnOptions, StartOptions } from './host.ts';
import { LineSplitter } from './line-splitter.ts';
import {
  foldVariables,
  programCall,
  systemProgram,
  variableOf,
  type Variables,
} from './windows-process.ts';

const FORCE_AFTER_MS = 5_000;
/** The maximum size in bytes of each output stream of a command whose output is returned. */
const MAX_OUTPUT = 64 * 1024 * 1024;
/** The time for which output is still read after a program has exited. */
const READ_ON_MS = 500;
/** That time for a program whose whole output is needed: this process may be too busy to read it at once. */
const READ_RAW_ON_MS = 10_000;

type ProgramResult = Awaited<ReturnType<Spawn['run']>>;

/** Runs programs of this machine; `cwd` is the default working directory. */
export function nodeSpawn(cwd: string, platform: string): Spawn {
  return {
    start: (command, args, options) => start({ cwd, platform }, command, args, options),
    async run(command, args, options) {
      options.signal?.throwIfAborted();
      // Loaded on first use: most runs start no process, and loading it takes part of the start-up time.
      const { spawn } = await import('node:child_process');
      const env = foldVariables(options.env ?? process.env, platform);
      const program = await programPath(command, env, platform);
      const call = programCall(program, args, env, platform);
      options.signal?.throwIfAborted();
      const child = spawn(call.program, [...call.args], {
        windowsVerbatimArguments: call.isVerbatim,
        cwd: options.cwd ?? cwd,
        env: { ...env },
        stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        windowsHide: true,
      });
      const terminate =
        platform === 'win32'
          ? // Windows has no signals, and ending a shell there does not end what it runs.
            (): void => endTree(spawn, child, env)
          : undefined;
      return await awaitResult(child, command, options, terminate);
    },
  };
}

/**
 * Passes input to a command and returns its exit code and output. Ends it when the signal aborts.
 *
 * @param terminate ends the command where signals are not available
 */
function awaitResult(
  child: ChildProcess,
  command: string,
  options: SpawnOptions,
  terminate: (() => void) | undefined,
): Promise<ProgramResult> {
  const removeAbortListener = stopOnAbort(child, options.signal, terminate);
  let isTooLong = false;
  const exceeded = (): void => {
    isTooLong = true;
    child.kill('SIGKILL');
  };
  const { onOutput } = options;
  const read = (stream: Readable | null): (() => string) => {
    if (onOutput === undefined) return collect(stream, exceeded);
    passLines(stream, onOutput, options.outputRoom);
    return () => '';
  };
  const stdout = read(child.stdout);
  const stderr = read(child.stderr);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      removeAbortListener();
      reject(error);
    });
    child.once('close', (code, signal) => {
      removeAbortListener();
      if (isTooLong) {
        reject(new Error(`${command} wrote more than ${MAX_OUTPUT / 1024 / 1024} MiB`));
        return;
      }
      const number = signal === null ? undefined : constants.signals[signal];
      resolve({
        code: code ?? (number === undefined ? 1 : 128 + number),
        stdout: stdout(),
        stderr: stderr(),
      });
    });
    if (child.stdin !== null) {
      child.stdin.on('error', () => {}); // a command need not read its input
      child.stdin.end(options.stdin);
    }
  });
}

/** Ends a command when the signal aborts: first politely, then by force. Returns a function that stops listening. */
function stopOnAbort(
  child: ChildProcess,
  signal: AbortSignal | undefined,
  terminate: (() => void) | undefined,
): () => void {
  let force: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const stop = (): void => {
    if (hasEnded) readOn(child);
    if (terminate !== undefined) {
      terminate();
      return;
    }
    child.kill('SIGTERM');
    force = setTimeout(() => child.kill('SIGKILL'), FORCE_AFTER_MS);
    force.unref();
  };
  child.once('exit', () => {
    hasEnded = true;
    // A cancelled run does not wait for orphaned processes of the command.
    if (signal?.aborted === true) readOn(child);
  });
  signal?.addEventListener('abort', stop, { once: true });
  return () => {
    clearTimeout(force);
    signal?.removeEventListener('abort', stop);
  };
}

/** Default search path of the C library, used if `PATH` is not set. */
const DEFAULT_PATH = '/usr/bin:/bin';

/** Returns the path of a program name. @throws Error with the code `ENOENT` */
async function programPath(command: string, env: Variables, platform: string): Promise<string> {
  const isWindows = platform === 'win32';
  if (command.includes('/') || (isWindows && /[\\:]/.test(command))) return command;
  const executable = await findOnPath(command, {
    path: variableOf(env, 'PATH', platform) ?? (isWindows ? undefined : DEFAULT_PATH),
    platform,
    endings: variableOf(env, 'PATHEXT', platform),
    isExecutable,
  });
  if (executable !== undefined) return executable;
  throw Object.assign(new Error(`spawn ${command} ENOENT`), {
    code: 'ENOENT',
    syscall: `spawn ${command}`,
    path: command,
  });
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, fileConstants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Ends a process of Windows and all that it has started. */
function endTree(run: typeof spawnProcess, child: ChildProcess, env: Variables): void {
  const args = ['/pid', String(child.pid), '/t', '/f'];
  const taskkill = run(systemProgram('taskkill.exe', env), args, {
    stdio: 'ignore',
    windowsHide: true,
  });
  taskkill.once('error', () => child.kill('SIGKILL'));
  taskkill.once('close', (code) => {
    if (code !== 0) child.kill('SIGKILL');
  });
}

async function start(
  { cwd, platform }: { readonly cwd: string; readonly platform: string },
  command: string,
  args: readonly string[],
  options: StartOptions,
): Promise<RunningProgram> {
  const { spawn } = await import('node:child_process');
  const env = foldVariables(options.env ?? process.env, platform);
  const program = await programPath(command, env, platform);
  const call = programCall(program, args, env, platform);
  const child = spawn(call.program, [...call.args], {
    windowsVerbatimArguments: call.isVerbatim,
    cwd: options.cwd ?? cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    detached: options.isGroup === true && platform !== 'win32',
  });
  const killChild = (): void => void child.kill('SIGKILL');
  const kill =
    options.isGroup !== true
      ? killChild
      : platform === 'win32'
        ? (): void => endTree(spawn, child, env)
        : (): void => killGroup(child);
  const pass = options.isRaw === true ? passText : passLines;
  pass(child.stdout, options.onStdout);
  pass(child.stderr, options.onStderr);
  const ended = new Promise<{ readonly code: number }>((resolve) => {
    // Child processes of the program may hold its streams open.
    child.once('exit', () => readOn(child, options.isRaw === true ? READ_RAW_ON_MS : READ_ON_MS));
    child.once('close', (code, signal) => {
      for (const each of [kill, killChild]) running.delete(each);
      const number = signal === null ? undefined : constants.signals[signal];
      resolve({ code: code ?? (number === undefined ? 1 : 128 + number) });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.on('error', () => {}); // a signal that could not be sent: it has ended
  // When this process exits, there is no time to run another program.
  endWithProcess(platform === 'win32' ? killChild : kill);
  const interrupt = platform === 'win32' ? kill : (): void => void child.kill('SIGINT');
  return { ended, interrupt, kill };
}

/** Kills a process that leads a group, with its group. */
function killGroup(child: ChildProcess): void {
  // After the leader has exited, its number may belong to another process.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}

/** Ends each program that is running. */
const running = new Set<() => void>();
let isWatched = false;

/** Has a program end when this process does, with one listener for all of them. */
function endWithProcess(kill: () => void): void {
  running.add(kill);
  if (isWatched) return;
  isWatched = true;
  process.on('exit', () => {
    for (const end of running) end();
  });
}

/** Reads the remaining output of an ended program for a limited time: its child processes may hold its streams open. */
function readOn(
  { stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>,
  ms: number = READ_ON_MS,
): void {
  setTimeout(() => {
    stdout?.destroy();
    stderr?.destroy();
  }, ms).unref();
}

/** Passes on the text of a stream in pieces as it arrives. */
function passText(stream: Readable | null, onText: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  stream?.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk);
    if (text !== '') onText(text);
  });
  stream?.on('end', () => {
    const text = decoder.end();
    if (text !== '') onText(text);
  });
}

/** Passes on each line of a stream, without its line end. */
function passLines(
  stream: Readable | null,
  onLine: (line: string) => void,
  outputRoom?: SpawnOptions['outputRoom'],
): void {
  const splitter = new LineSplitter((line) =>
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line),
  );
  stream?.on('data', (chunk: Buffer) => {
    splitter.write(chunk);
    const room = outputRoom?.();
    if (room === undefined) return;
    stream.pause();
    void room.then(() => stream.resume());
  });
  stream?.on('end', () => splitter.end());
}

/** Collects a stream up to a limit; calls `exceeded` once if there is more. */
function collect(stream: Readable | null, exceeded: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (size > MAX_OUTPUT) return;
    size += chunk.length;
    if (size > MAX_OUTPUT) exceeded();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
