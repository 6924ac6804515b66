import type { Clock } from '@terrane/host';

/** A deadline on the monotonic clock. */
export class Deadline {
  readonly #clock: Clock;
  readonly #at: number;

  private constructor(clock: Clock, at: number) {
    this.#clock = clock;
    this.#at = at;
  }

  /** The moment `ms` milliseconds from now. */
  static after(clock: Clock, ms: number): Deadline {
    return new Deadline(clock, clock.monotonicMs() + ms);
  }

  /** Milliseconds until then; 0 when it is over. */
  get remainingMs(): number {
    return Math.max(0, this.#at - this.#clock.monotonicMs());
  }

  get isOver(): boolean {
    return this.remainingMs === 0;
  }

  /**
   * Returns a deadline for a part of the work: `ms` milliseconds from now, but never after this one, so that a
   * propagation time-out is bounded by the time-out of the whole operation.
   */
  within(ms: number): Deadline {
    return new Deadline(this.#clock, Math.min(this.#at, this.#clock.monotonicMs() + ms));
  }
}

/** Returns the remaining milliseconds of a time-out or a deadline. */
export function remaining(limit: number | Deadline): number {
  return typeof limit === 'number' ? limit : limit.remainingMs;
}
