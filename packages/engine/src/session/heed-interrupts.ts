import type { ProviderSessions } from './provider-sessions.ts';

/** Requests that a caller may make while a plan or an apply runs. */
export interface Interrupts {
  /** ends the run softly */
  readonly signal?: AbortSignal;
  /** gives it up */
  readonly abort?: AbortSignal;
}

/**
 * Forwards interrupts to the providers until the run has ended: the first requests them to stop their operations, which
 * are still awaited, and the second terminates them. What they were asked and did not answer fails then, so that the
 * run comes to its end and what is known is kept.
 */
export function heedInterrupts(
  sessions: Pick<ProviderSessions, 'stop' | 'kill'>,
  { signal, abort }: Interrupts,
): { readonly end: () => void } {
  const stop = (): void => void sessions.stop();
  const kill = (): void => void sessions.kill();
  const pairs = [
    [signal, stop],
    [abort, kill],
  ] as const;
  for (const [input, listener] of pairs) {
    if (input?.aborted === true) listener();
    else input?.addEventListener('abort', listener, { once: true });
  }
  return {
    end: () => {
      for (const [input, listener] of pairs) input?.removeEventListener('abort', listener);
    },
  };
}
