import { forManyListeners } from '@terrane/host';
import type { LockGuard } from '../state/held-lock.ts';

/**
 * Returns the signal after which a run starts nothing new: an interrupt by the user, or the loss of the state lock.
 * Unlike an interrupt, the loss of the lock does not request providers to stop their operations.
 */
export function haltSignal({
  signal,
  lock,
}: {
  readonly signal?: AbortSignal;
  readonly lock?: Pick<LockGuard, 'lost'>;
}): AbortSignal | undefined {
  if (lock === undefined) return signal;
  const signals = signal === undefined ? [lock.lost] : [signal, lock.lost];
  return forManyListeners(AbortSignal.any(signals));
}
