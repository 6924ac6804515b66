import { type Clock, nodeHost } from '@terrane/host';
import { runProgram } from '../run-program.ts';
import { openOutput } from '../output-file.ts';
import { PipeWriters } from '../pipe-writer.ts';
import type { World } from '../world.ts';
import type { RunResult } from './run-terrane.ts';

/** A run on the disk. */
export interface RunHereOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** the input; `held`: empty, and the input stays open */
  readonly input: string;
  /** interrupts the program at its next wait, once resolved */
  readonly interrupt: Promise<void>;
}

/** Runs the program within this process, on the disk and the network as they are; no time passes where it waits. */
export async function runHere(
  args: readonly string[],
  { cwd, env, input, interrupt }: RunHereOptions,
): Promise<RunResult> {
  const output = { stdout: '', stderr: '' };
  const lines = input === 'held' ? [] : input.split('\n').slice(0, -1);
  const listeners = new Set<() => void>();
  // Called between two polls of a run.
  let wasCalled = false;
  void interrupt.then(() => (wasCalled = true));
  const deliver = (): void => {
    if (wasCalled) for (const listener of listeners) listener();
    wasCalled = false;
  };
  const textOf = (text: string | Uint8Array): string =>
    typeof text === 'string' ? text : new TextDecoder().decode(text);
  const stream = { isTerminal: false, columns: 78 };
  const world: World = {
    directory: cwd,
    environment: { PATH: process.env['PATH'], ...env },
    stdout: { write: (text) => void (output.stdout += textOf(text)), ...stream },
    stderr: { write: (text) => void (output.stderr += textOf(text)), ...stream },
    stdin: {
      isTerminal: false,
      async readLine({ signal } = {}) {
        await Promise.resolve();
        signal?.throwIfAborted();
        if (input !== 'held') return lines.shift();
        return await new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
      readAll: () => Promise.resolve(input),
      readBytes: () => Promise.resolve(new TextEncoder().encode(input)),
      edit: () => Promise.reject(new Error('nothing is edited')),
      close: () => undefined,
    },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    kindOf: () => 'directory',
    namesIn: () => undefined,
    openOutput: (path) => openOutput(path, new PipeWriters()),
    hostAt: (directory) => ({ ...nodeHost({ cwd: directory }), clock: quickClock(deliver) }),
    leave: () => undefined,
  };
  const code = await runProgram(args, world);
  return { code, ...output };
}

/** Returns a clock whose sleeps end immediately, after other tasks had a turn. */
function quickClock(beforeSleep: () => void): Clock {
  const { clock } = nodeHost();
  let slept = 0;
  return {
    now: () => new Date(clock.now().getTime() + slept),
    monotonicMs: () => clock.monotonicMs() + slept,
    async sleep(ms, signal, options) {
      if (options?.background === true) return await clock.sleep(ms, signal, options);
      beforeSleep();
      slept += ms;
      await clock.sleep(ms > 0 ? 2 : 0, signal);
    },
  };
}
