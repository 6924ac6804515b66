import type { Clock, OwnProcess } from '@terrane/host';

/** The interval at which a plugin without a connection checks that its host is alive. */
const INTERVAL_MS = 1_000;

/**
 * Detects that the host of a plugin is no longer alive.
 *
 * While a host is connected, its connection shows that it is alive, and the parent process may be another one: a
 * wrapper may start the plugin in the background and exit. Without a connection, the parent process decides.
 */
export class HostWatch {
  readonly #process: Pick<OwnProcess, 'parentPid'>;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #onGone: () => void;
  readonly #parent: number;
  #watch: AbortController | undefined;

  constructor(
    process: Pick<OwnProcess, 'parentPid'>,
    clock: Pick<Clock, 'sleep'>,
    onGone: () => void,
  ) {
    this.#process = process;
    this.#clock = clock;
    this.#onGone = onGone;
    this.#parent = process.parentPid();
  }

  /** Starts to watch the parent process, until a host connects. */
  start(): void {
    if (this.#watch !== undefined) return;
    const watch = new AbortController();
    this.#watch = watch;
    void this.#run(watch.signal);
  }

  /** Ends watching, because a host is connected or the plugin ends. */
  stop(): void {
    this.#watch?.abort();
    this.#watch = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#process.parentPid() !== this.#parent) {
        this.#onGone();
        return;
      }
      await this.#clock.sleep(INTERVAL_MS, signal).catch(() => undefined);
    }
  }
}
