/** The settings of a token bucket: its size in requests, and the period in which it is refilled. */
export interface RateLimit {
  readonly count: number;
  readonly periodMs: number;
}

/** A bucket of one client. */
interface Bucket {
  tokens: number;
  filledAt: number;
}

/** The maximum number of buckets; the least recently used one is evicted first. */
const MOST_CLIENTS = 20_000;

/**
 * Token buckets by client, in memory: each server process limits the requests that it receives itself. Its memory is
 * bounded, regardless of the names of clients.
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
    if (bucket.tokens < 1) return this.#wait(bucket);
    bucket.tokens -= 1;
    return 0;
  }

  /** Returns 0 if a client may send a request, without taking it, and otherwise the seconds until it may. */
  peek(client: string, now: number): number {
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) return 0;
    const filled = this.#fill(client, now);
    return filled.tokens < 1 ? this.#wait(filled) : 0;
  }

  #wait({ tokens }: Bucket): number {
    const { count, periodMs } = this.#limit;
    // Less than a millisecond is an error of rounding.
    return Math.max(1, Math.ceil(Math.floor(((1 - tokens) * periodMs) / count) / 1000));
  }

  #fill(client: string, now: number): Bucket {
    const { count, periodMs } = this.#limit;
    const existing = this.#buckets.get(client);
    const bucket = existing ?? { tokens: count, filledAt: now };
    const elapsed = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(count, bucket.tokens + (elapsed * count) / periodMs);
    bucket.filledAt = now;
    // The order of a Map is that of insertion, so that its first entry is the least recently used one.
    if (existing !== undefined) this.#buckets.delete(client);
    else if (this.#buckets.size >= MOST_CLIENTS) {
      const oldest = this.#buckets.keys().next().value;
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    this.#buckets.set(client, bucket);
    return bucket;
  }
}
