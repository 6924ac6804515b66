import type { RunEvent } from '@terrane/engine';
import type { FileSystem } from '@terrane/host';

/** The last durations in milliseconds, by {@link timingKey}. */
export type Timings = ReadonlyMap<string, number>;

type Done = Extract<
  RunEvent,
  { kind: 'apply-start' | 'apply-progress' | 'apply-complete' | 'apply-errored' }
>;

/** Returns the key of a timing: the action and the instance. */
export function timingKey(action: Done['action'], address: string): string {
  return `${action} ${address}`;
}

/** The maximum number of stored timings: the oldest are removed. */
const MAX_COUNT = 5000;
const VERSION = 1;

/** Returns the path of a state's timings, next to its journal. */
export function timingsPath(journalPath: string): string {
  return `${journalPath.replace(/\.journal$/, '')}.timings`;
}

/** Reads recorded timings; empty if the file is missing or malformed. */
export async function readTimings(
  files: Pick<FileSystem, 'readText'>,
  path: string,
): Promise<Timings> {
  const timings = new Map<string, number>();
  try {
    const read: unknown = JSON.parse(await files.readText(path));
    if (typeof read !== 'object' || read === null) return timings;
    const { version, milliseconds } = read as { version?: unknown; milliseconds?: unknown };
    if (version !== VERSION || typeof milliseconds !== 'object' || milliseconds === null) {
      return timings;
    }
    for (const [key, value] of Object.entries(milliseconds)) {
      if (typeof value === 'number' && value >= 0) timings.set(key, value);
    }
  } catch {
    // Estimates are optional: an invalid file is replaced.
  }
  return timings;
}

/** Records the duration of each change during an apply. */
export class TimingsRecorder {
  readonly #known: Map<string, number>;
  #isNew = false;

  constructor(known: Timings) {
    this.#known = new Map(known);
  }

  event(event: RunEvent): void {
    if (event.kind !== 'apply-complete' || event.elapsedMs === undefined) return;
    if (event.action === 'forget') return;
    const key = timingKey(event.action, event.addr.text);
    this.#known.delete(key);
    this.#known.set(key, Math.round(event.elapsedMs));
    this.#isNew = true;
    // Entries in excess are removed in bulk, because each removal at the front costs a search for the next entry.
    if (this.#known.size >= 2 * MAX_COUNT) this.#removeOldest();
  }

  #removeOldest(): void {
    let excess = this.#known.size - MAX_COUNT;
    for (const key of this.#known.keys()) {
      if (excess-- <= 0) break;
      this.#known.delete(key);
    }
  }

  /** Stores new timings. Write errors are ignored. */
  async save(files: Pick<FileSystem, 'replaceFile'>, path: string): Promise<void> {
    if (!this.#isNew) return;
    const latest = [...this.#known].slice(-MAX_COUNT);
    const text = JSON.stringify({ version: VERSION, milliseconds: Object.fromEntries(latest) });
    try {
      await files.replaceFile(path, `${text}\n`);
    } catch {
      // A run must not fail because its timings cannot be stored.
    }
  }
}
