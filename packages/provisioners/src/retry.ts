import type { Clock } from '@terrane/host';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 20_000;

/**
 * Retries for `timeoutMs` at most, doubling the wait after every failure. `attempt` receives a signal that aborts it.
 * Fails with the last error, as Terraform does.
 */
export async function retry(
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted === true) stop.abort();
  let last: Error | undefined;
  const tryOn = async (): Promise<void> => {
    for (let delay = 0; ; delay = Math.min(delay * 2 || FIRST_DELAY_MS, MAX_DELAY_MS)) {
      await clock.sleep(delay, stop.signal);
      try {
        await attempt(stop.signal);
        return;
      } catch (error) {
        stop.signal.throwIfAborted();
        last = error instanceof Error ? error : new Error(String(error));
      }
    }
  };
  let isLate = false;
  const expire = async (): Promise<void> => {
    await clock.sleep(timeoutMs, stop.signal);
    isLate = true;
    stop.abort();
    stop.signal.throwIfAborted();
  };
  const expiry = expire();
  expiry.catch(() => {});
  try {
    await Promise.race([tryOn(), expiry]);
  } catch (error) {
    if (isLate) throw new Error(`timeout - last error: ${last?.message ?? '<nil>'}`);
    if (signal?.aborted === true) {
      throw new Error(`interrupted - last error: ${last?.message ?? '<nil>'}`);
    }
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    stop.abort();
  }
}
