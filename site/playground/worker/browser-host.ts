import type { Clock, Host, Random } from '@terrane/host';
import { type MemoryDisk, MemoryFiles, memoryHost } from '@terrane/testkit';
import { randomBytes, randomUUID } from './node/crypto.ts';

const CLOCK: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

const RANDOM: Random = { bytes: randomBytes, uuid: randomUUID };

/** A machine inside the browser: files in memory, its clock and random numbers, no programs and no network. */
export function browserHost(disk: MemoryDisk, cwd: string): Host {
  return {
    ...memoryHost({ disk, cwd, hostName: 'browser' }),
    files: new MemoryFiles({ disk, cwd, clock: CLOCK }),
    clock: CLOCK,
    random: RANDOM,
  };
}
