/** Carries topics between the servers of a database. */
export interface TopicChannel {
  /** Announces a change to the other servers. A topic may be lost while the database is unreachable. */
  publish(topic: string): void;
  /** Calls back for topics that other servers have published. */
  subscribe(listener: (topic: string) => void): void;
}

/**
 * Wakes the waiting requests of this process after a change in the database, also if another server of the channel makes
 * it. A change may be missed while the channel is interrupted, so waiting is always limited.
 */
export class Wakeups {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #channel: TopicChannel | undefined;
  #isClosed = false;

  constructor(channel?: TopicChannel) {
    this.#channel = channel;
    channel?.subscribe((topic) => this.#wake(topic));
  }

  /** true once the server shuts down: nothing waits any more */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Wakes everything that waits, for ever: the server shuts down. */
  close(): void {
    this.#isClosed = true;
    for (const listeners of this.#listeners.values()) for (const wake of listeners) wake();
  }

  /** Calls back whenever the topic is announced, until the returned function is called. */
  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(topic);
    };
  }

  /** Resolves when the topic is announced, or after `ms`. */
  async wait(
    topic: string,
    ms: number,
    sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#isClosed) return;
    const stop = new AbortController();
    const unsubscribe = this.subscribe(topic, () => stop.abort());
    try {
      await sleep(ms, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      stop.abort();
      unsubscribe();
    }
  }

  /**
   * Returns the result of `attempt`. If it is undefined, calls `attempt` once more after the topic has been announced, or
   * after `ms`. An announcement during the first call is not missed.
   */
  async attempt<Result>(
    topic: string,
    ms: number,
    sleep: (ms: number, signal: AbortSignal) => Promise<void>,
    attempt: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    let isAnnounced = false;
    const unsubscribe = this.subscribe(topic, () => (isAnnounced = true));
    try {
      const result = await attempt();
      if (result !== undefined) return result;
      if (!isAnnounced) await this.wait(topic, ms, sleep);
      return await attempt();
    } finally {
      unsubscribe();
    }
  }

  announce(topic: string): void {
    this.#wake(topic);
    this.#channel?.publish(topic);
  }

  #wake(topic: string): void {
    for (const wake of this.#listeners.get(topic) ?? []) wake();
  }
}
