import type { Clock } from '@terrane/host';

/** The settings of a `PacedSender`. */
export interface PacedSenderOptions<Item> {
  readonly clock: Pick<Clock, 'sleep'>;
  /** the time for which items are collected before the first request, and between two requests */
  readonly firstMs: number;
  readonly pauseMs: number;
  /** Sends the items that were collected. Rejects if that has failed finally. */
  readonly send: (items: readonly Item[]) => Promise<void>;
}

/**
 * Sends items in their order, one request after the other: the first ones almost at once, and those that follow together
 * after a pause, so that a chatty command causes few requests and a quiet one no delay. After a failure, items are
 * dropped; `flush` reports it.
 */
export class PacedSender<Item> {
  readonly #options: PacedSenderOptions<Item>;
  #pending: Item[] = [];
  #sending: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** ends the pause that is in progress */
  #stop = new AbortController();
  #isFlushing = false;

  constructor(options: PacedSenderOptions<Item>) {
    this.#options = options;
  }

  write(item: Item): void {
    if (this.#failure !== undefined) return;
    this.#pending.push(item);
    this.#sending ??= this.#run();
  }

  /** Resolves when everything has been sent, without further pauses. Rejects if sending failed. */
  async flush(): Promise<void> {
    this.#isFlushing = true;
    this.#stop.abort();
    try {
      while (this.#sending !== undefined) await this.#sending;
    } finally {
      this.#isFlushing = false;
      this.#stop = new AbortController();
    }
    if (this.#failure === undefined) return;
    const { error } = this.#failure;
    throw error instanceof Error ? error : new Error('The output of a run could not be sent.');
  }

  async #run(): Promise<void> {
    const { firstMs, pauseMs, send } = this.#options;
    try {
      await this.#pause(firstMs);
      while (this.#pending.length > 0) {
        const items = this.#pending;
        this.#pending = [];
        await send(items);
        await this.#pause(pauseMs);
      }
    } catch (error) {
      this.#failure = { error };
      this.#pending = [];
    } finally {
      this.#sending = undefined;
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isFlushing) return;
    const { signal } = this.#stop;
    await this.#options.clock.sleep(ms, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
