import type { ProviderSessions } from './provider-sessions.ts';

/** What somebody who runs a plan or an apply may ask for while it goes on. */
export interface Interrupts {
  /** ends the run softly */
  readonly signal?: AbortSignal;
  /** gives it up */
  readonly abort?: AbortSignal;
}

/**
 * Tells the providers of a run of interrupts, until the run has ended: the first asks them to end what they are
 * doing, which is then still awaited, and the second ends it whatever it is. What they were asked and did not
 * answer fails then, so that the run comes to its end and what is known is kept.
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
  for (const [given, told] of pairs) {
    if (given?.aborted === true) told();
    else given?.addEventListener('abort', told, { once: true });
  }
  return {
    end: () => {
      for (const [given, told] of pairs) given?.removeEventListener('abort', told);
    },
  };
}
