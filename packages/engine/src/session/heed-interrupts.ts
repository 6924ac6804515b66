import type { ProviderSessions } from './provider-sessions.ts';

/** Requests that a caller may make during a plan or an apply. */
export interface Interrupts {
  /** ends the run softly */
  readonly signal?: AbortSignal;
  /** aborts the run */
  readonly abort?: AbortSignal;
}

/**
 * Forwards interrupts to the providers until the run has ended: the first requests them to stop their operations, which
 * are still awaited, and the second terminates them. Pending requests fail then, so that the run ends and known results
 * are stored.
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
