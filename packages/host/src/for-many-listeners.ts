import { setMaxListeners } from 'node:events';

/**
 * The same signal, which any number of things under way may listen to. Node takes more than ten listeners for a
 * leak, and says so on standard error; a run has as many as it does at the same time.
 */
export function forManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
