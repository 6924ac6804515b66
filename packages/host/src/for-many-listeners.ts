import { setMaxListeners } from 'node:events';

/**
 * Returns the signal with an unlimited number of listeners. Node treats more than ten listeners as a leak and warns on
 * standard error; a run has as many as it has concurrent operations.
 */
export function forManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
