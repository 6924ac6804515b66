import { forManyListeners } from '@terrane/host';

/**
 * Signals for the requests of tries: aborted when a try is given up, but not when the run is to end, as what its
 * requests do would not be known then. All requests of a try share one, so that the try's own signal has one listener,
 * however many they are.
 */
export class GivenUp {
  readonly #known = new WeakMap<AbortSignal, WeakMap<AbortSignal, AbortSignal>>();

  /** @param run ends with the whole run: what aborts it aborts its tries too */
  of(attempt: AbortSignal, run: AbortSignal): AbortSignal {
    const ofRuns = this.#known.get(attempt) ?? new WeakMap<AbortSignal, AbortSignal>();
    this.#known.set(attempt, ofRuns);
    const known = ofRuns.get(run);
    if (known !== undefined) return known;
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
