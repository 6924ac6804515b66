/** A limit: a number of requests at once, and as many again in each period. */
export interface RateLimit {
  readonly count: number;
  readonly periodMs: number;
}

/** A bucket of one client. */
interface Bucket {
  left: number;
  filledAt: number;
}

/** Clients that are remembered at once. The one whose bucket was used least recently is forgotten first. */
const MOST_CLIENTS = 20_000;

/**
 * Token buckets by client, in memory: each server process limits the requests that it receives itself. Its memory is
 * bounded, whatever names clients invent.
 */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Takes one request of a client. Returns 0 if it is permitted, and otherwise the seconds until the next one is. */
  take(client: string, now: number): number {
    const bucket = this.#fill(client, now);
    if (bucket.left < 1) return this.#wait(bucket);
    bucket.left -= 1;
    return 0;
  }

  /** Returns 0 if a client may send a request, without taking it, and otherwise the seconds until it may. */
  peek(client: string, now: number): number {
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) return 0;
    const filled = this.#fill(client, now);
    return filled.left < 1 ? this.#wait(filled) : 0;
  }

  #wait({ left }: Bucket): number {
    const { count, periodMs } = this.#limit;
    // Less than a millisecond is an error of rounding.
    return Math.max(1, Math.ceil(Math.floor(((1 - left) * periodMs) / count) / 1000));
  }

  #fill(client: string, now: number): Bucket {
    const { count, periodMs } = this.#limit;
    const known = this.#buckets.get(client);
    const bucket = known ?? { left: count, filledAt: now };
    const elapsed = Math.max(0, now - bucket.filledAt);
    bucket.left = Math.min(count, bucket.left + (elapsed * count) / periodMs);
    bucket.filledAt = now;
    // The order of a Map is that of insertion, so that its first entry is the least recently used one.
    if (known !== undefined) this.#buckets.delete(client);
    else if (this.#buckets.size >= MOST_CLIENTS) {
      const oldest = this.#buckets.keys().next().value;
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    this.#buckets.set(client, bucket);
    return bucket;
  }
}
