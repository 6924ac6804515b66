const MAX_LINES = 100;
const MAX_LINE_LENGTH = 2_000;

/**
 * The last lines of a plugin's standard error, for messages about its exit. Structured log entries are omitted: they
 * may contain secrets, and they obscure the cause.
 */
export class StderrTail {
  readonly #lines: string[] = [];
  #dropped = 0;

  push(line: string): void {
    if (line.startsWith('{"@') || /^\d{4}-\d\d-\d\dT\S+ \[(TRACE|DEBUG|INFO)\]/.test(line)) return;
    this.#lines.push(line.slice(0, MAX_LINE_LENGTH));
    if (this.#lines.length <= MAX_LINES) return;
    // The beginning of a panic contains the cause, its end only the location.
    this.#lines.splice(MAX_LINES / 2, 1);
    this.#dropped++;
  }

  /** Returns the collected text; empty if nothing was written. */
  text(): string {
    if (this.#dropped === 0) return this.#lines.join('\n').trim();
    const half = MAX_LINES / 2;
    return [...this.#lines.slice(0, half), `… (${this.#dropped} lines)`, ...this.#lines.slice(half)]
      .join('\n')
      .trim();
  }
}
