import type { Clock } from '@terrane/host';

/** Options of the clock for tests of waits. */
export interface QuietClockOptions {
  /** whether something happens outside that will answer by itself */
  readonly isBusy: () => boolean;
  /**
   * True if the server runs in this process, observed by `isBusy`. A few turns of the event loop then show that nothing is
   * in progress; otherwise that takes a period of real time. Default: false.
   */
  readonly isLocal?: boolean;
}

interface Sleeper {
  readonly until: number;
  /** it sleeps for so long that it may be a limit rather than a pause */
  readonly isLong: boolean;
  readonly wake: () => void;
}

/** Real time without anything going on after which the next sleeper is woken. */
const QUIET_MS = 25;
/** Turns of the event loop that a message takes from one end of a connection within this process to what it causes. */
const QUIET_TURNS = 40;
/** As `QUIET_MS`, where the next one may be a limit: a request may not have been sent yet, or its answer not read. */
const LONG_QUIET_MS = 500;
/** The shortest limit: the grace period of a try that is given up. */
const LONG_MS = 30_000;
/** Longer sleeps are limits, and no pauses. */
const LIMIT_MS = 60_000;
/** Pauses between polls that a stride replaces. */
const [MIN_POLL_MS, MAX_POLL_MS] = [2_000, 15_000] as const;
const DAY_MS = 86_400_000;

/**
 * A clock that goes on to when the next sleeper wakes as soon as nothing else goes on. A wait of minutes takes
 * moments, whatever the machine, and no limit of time is over because the machine was slow.
 */
export class QuietClock implements Clock {
  readonly #options: QuietClockOptions;
  /**
   * Every pause takes a day, so that all limits of time are over after the first: as if nobody waited, and nothing were
   * tried again for a while.
   */
  impatient = false;
  /** Pauses of some seconds take this long instead, if it is longer: fewer polls until a limit of minutes or hours. */
  stride = 0;
  #elapsed = 0;
  #sleepers: Sleeper[] = [];
  #watching = false;

  constructor(options: QuietClockOptions) {
    this.#options = options;
  }

  now(): Date {
    // Requests are signed with the time, and servers look at it.
    return new Date(START + this.#elapsed);
  }

  monotonicMs(): number {
    return this.#elapsed;
  }

  /** Milliseconds that have passed for whoever looks at this clock. */
  get elapsedMs(): number {
    return this.#elapsed;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    // With an impatient clock, pauses are the shorter sleeps: limits are left to what passes meanwhile.
    const isLimit = ms > LIMIT_MS;
    const isPoll = ms >= MIN_POLL_MS && ms <= MAX_POLL_MS;
    const walked = isPoll ? Math.max(ms, this.stride) : ms;
    const pause = this.impatient && !isLimit ? DAY_MS : walked;
    return await new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper = { until: this.#elapsed + pause, isLong: ms >= LONG_MS, wake };
      this.#sleepers = [...this.#sleepers, sleeper];
      signal?.addEventListener('abort', abort, { once: true });
      void this.#watch();
    });
  }

  async #watch(): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    while (this.#sleepers.length > 0) {
      const next = this.#sleepers.toSorted((a, b) => a.until - b.until)[0];
      if (next === undefined) continue;
      const { isLocal = false } = this.#options;
      if (isLocal && !(await this.#staysQuiet(QUIET_TURNS, nextTurn))) continue;
      const ms = next.isLong ? LONG_QUIET_MS : isLocal ? 0 : QUIET_MS;
      if (!(await this.#staysQuiet(ms / STEP_MS, nextStep))) continue;
      this.#elapsed = Math.max(this.#elapsed, next.until);
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      next.wake();
    }
    this.#watching = false;
  }

  /** Returns true if nothing happens during a number of steps. */
  async #staysQuiet(steps: number, step: () => Promise<void>): Promise<boolean> {
    const sleepers = this.#sleepers;
    for (let remaining = steps; remaining > 0; remaining--) {
      await step();
      if (this.#options.isBusy() || this.#sleepers !== sleepers) return false;
    }
    return true;
  }
}

const STEP_MS = 5;
const START = Date.now();

async function nextStep(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, STEP_MS));
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
