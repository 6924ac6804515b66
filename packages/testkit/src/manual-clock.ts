import type { Clock } from '@terrane/host';

/** A clock that only advances when a test does so. */
export class ManualClock implements Clock {
  #nowMs: number;
  #elapsedMs = 0;
  #sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  /** `start`: milliseconds since 1970, by default 2024-01-02T03:04:05Z. */
  constructor(start: number = Date.UTC(2024, 0, 2, 3, 4, 5)) {
    this.#nowMs = start;
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  /** The number of pending `sleep` calls. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper = { until: this.#elapsedMs + ms, wake };
      const abort = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Advances the clock. Pending `sleep` calls end in the order of their times, each before the next one. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsedMs + ms;
    await turn();
    for (;;) {
      const next = this.#sleepers
        .filter(({ until }) => until <= end)
        .sort((a, b) => a.until - b.until)[0];
      if (next === undefined) break;
      this.#set(Math.max(next.until, this.#elapsedMs));
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      next.wake();
      await turn();
    }
    this.#set(end);
  }

  #set(elapsed: number): void {
    this.#nowMs += elapsed - this.#elapsedMs;
    this.#elapsedMs = elapsed;
  }
}

/** Runs all tasks that do not wait for time. */
async function turn(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
