import { forManyListeners } from '@terrane/host';

/**
 * Signals for the requests of attempts: aborted when an attempt is abandoned, but not at the end of the run, because
 * the results of its requests would be unknown. All requests of an attempt share a signal, so that the attempt's own
 * signal has a single listener.
 */
export class GivenUp {
  readonly #known = new WeakMap<AbortSignal, WeakMap<AbortSignal, AbortSignal>>();

  /** @param run the signal of the whole run, which aborts its attempts too */
  of(attempt: AbortSignal, run: AbortSignal): AbortSignal {
    const ofRuns = this.#known.get(attempt) ?? new WeakMap<AbortSignal, AbortSignal>();
    this.#known.set(attempt, ofRuns);
    const existing = ofRuns.get(run);
    if (existing !== undefined) return existing;
    const controller = new AbortController();
    const abort = (): void => {
      if (!run.aborted) controller.abort(attempt.reason);
    };
    attempt.addEventListener('abort', abort, { once: true });
    const signal = forManyListeners(controller.signal);
    ofRuns.set(run, signal);
    return signal;
  }
}
