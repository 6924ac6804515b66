import type { LiveProgress, Running } from './live-lines.ts';

/** Tracks the progress of tasks without earlier timings, such as downloads or test runs. */
export class TaskProgress implements LiveProgress {
  readonly #now: () => number;
  readonly #running = new Map<string, Running>();
  readonly #begun: number;
  /** the number of tasks, if known */
  total: number | undefined;
  done = 0;
  isStopping = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#begun = now();
  }

  get running(): readonly Running[] {
    return [...this.#running.values()];
  }

  get elapsedMs(): number {
    return this.#now() - this.#begun;
  }

  /** The remaining time is unknown. */
  get remainingMs(): undefined {
    return undefined;
  }

  /** Starts a task, or its next phase with its own timer. */
  begin(key: string, address: string, verb: string): void {
    if (this.#running.get(key)?.verb === verb) return;
    this.#running.set(key, { address, verb, sinceMs: this.#now() });
  }

  /** Sets the progress text of a running task. */
  detail(key: string, detail: string): void {
    const task = this.#running.get(key);
    if (task !== undefined) this.#running.set(key, { ...task, detail });
  }

  /** Ends a task, and counts it as completed if `counts` is true. */
  end(key: string, counts = true): void {
    if (this.#running.delete(key) && counts) this.done++;
  }

  /** Removes all tasks. */
  clear(): void {
    this.#running.clear();
  }
}
