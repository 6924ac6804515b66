import type { Clock } from '@terrane/host';

/** An operation exceeded its time limit. */
export class TimeOut extends Error {}

/**
 * Runs `work` with a time limit of `timeoutMs`, or until `signal` is aborted; its signal is aborted in both cases.
 * Rejects with a `TimeOut` with the message `problem`, or with "interrupted", even if the work does not end.
 */
export async function within<T>(
  clock: Clock,
  timeoutMs: number,
  problem: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const workAbort = new AbortController();
  const finished = new AbortController();
  let rejectWith: (reason: Error) => void = () => {};
  const timeoutOrInterrupt = new Promise<never>((_, reject) => {
    rejectWith = (reason) => {
      workAbort.abort(reason);
      reject(reason);
    };
  });
  timeoutOrInterrupt.catch(() => {});
  const interrupt = (): void => rejectWith(new Error('interrupted'));
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  clock.sleep(timeoutMs, finished.signal).then(
    () => rejectWith(new TimeOut(problem)),
    () => {}, // The work finished in time.
  );
  try {
    return await Promise.race([timeoutOrInterrupt, work(workAbort.signal)]);
  } finally {
    signal?.removeEventListener('abort', interrupt);
    finished.abort();
  }
}
