/**
 * Wakes what waits in this process for a change in the database. A change in another process is found by polling, so
 * waiting is always limited.
 */
export class Wakeups {
  readonly #waiting = new Map<string, Set<() => void>>();
  #isClosed = false;

  /** true once the server shuts down: nothing waits any more */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Wakes everything that waits, for ever: the server shuts down. */
  close(): void {
    this.#isClosed = true;
    for (const listeners of this.#waiting.values()) for (const wake of listeners) wake();
  }

  /** Resolves when the topic is announced, or after `ms`. */
  async wait(
    topic: string,
    ms: number,
    sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#isClosed) return;
    const stop = new AbortController();
    const listeners = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, listeners);
    const wake = (): void => stop.abort();
    listeners.add(wake);
    try {
      await sleep(ms, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      stop.abort();
      listeners.delete(wake);
      if (listeners.size === 0) this.#waiting.delete(topic);
    }
  }

  announce(topic: string): void {
    for (const wake of this.#waiting.get(topic) ?? []) wake();
  }
}
