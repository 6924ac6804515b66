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
  const stop = new AbortController();
  const over = new AbortController();
  let end: (reason: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = (reason) => {
      stop.abort(reason);
      reject(reason);
    };
  });
  ended.catch(() => {});
  const interrupt = (): void => end(new Error('interrupted'));
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  clock.sleep(timeoutMs, over.signal).then(
    () => end(new TimeOut(problem)),
    () => {}, // It ended in time.
  );
  try {
    return await Promise.race([ended, work(stop.signal)]);
  } finally {
    signal?.removeEventListener('abort', interrupt);
    over.abort();
  }
}
