import type { RunEvent } from '@terrane/engine';
import type { Clock } from '@terrane/host';

/** How often people are told that something still runs. */
const PERIOD_MS = 10_000;
const TICK_MS = 1000;

type ApplyStart = Extract<
  RunEvent,
  { kind: 'apply-start' | 'apply-progress' | 'apply-complete' | 'apply-errored' }
>;

interface Running {
  readonly event: ApplyStart;
  readonly since: number;
  told: number;
}

/** Adds to a stream of events that what was started and not finished still runs, every ten seconds. */
export class Progress {
  readonly #clock: Clock;
  readonly #emit: (event: RunEvent) => void;
  readonly #running: Map<string, Running> = new Map();
  readonly #stop: AbortController = new AbortController();

  constructor(clock: Clock, emit: (event: RunEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  /** Passes an event on, and takes note. */
  readonly emit = (event: RunEvent): void => {
    if (event.kind === 'apply-start') {
      this.#running.set(keyOf(event), { event, since: this.#clock.monotonicMs(), told: 0 });
    } else if (event.kind === 'apply-complete' || event.kind === 'apply-errored') {
      this.#running.delete(keyOf(event));
    }
    this.#emit(event);
  };

  /** Tells until {@link stop} is called. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#clock.sleep(TICK_MS, signal);
      } catch {
        return;
      }
      const now = this.#clock.monotonicMs();
      for (const running of this.#running.values()) {
        const periods = Math.floor((now - running.since) / PERIOD_MS);
        if (periods <= running.told) continue;
        running.told = periods;
        this.#emit({ ...running.event, kind: 'apply-progress', elapsedMs: periods * PERIOD_MS });
      }
    }
  }

  stop(): void {
    this.#stop.abort();
  }
}

function keyOf(event: ApplyStart): string {
  return event.deposed === undefined ? event.addr.text : `${event.addr.text} ${event.deposed}`;
}
