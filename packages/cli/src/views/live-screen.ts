import { displayWidth } from '@terrane/render';
import { terminalText } from '@terrane/render/terminal-text';
import type { OutputStream, World } from '../world.ts';

/** The delay of a redraw after other output, which avoids flicker during a burst of output. */
const REDRAW_MS = 40;
/** The interval of updates. */
const TICK_MS = 250;

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

/** Returns the lines to display; an empty result hides the display. */
export type DrawLines = (size: {
  readonly columns: number;
  readonly rows: number;
}) => readonly string[];

/**
 * Lines at the bottom of a terminal that are updated continuously, below all other output. They are removed before
 * other text is written and redrawn after it, but never after an incomplete line, such as a prompt.
 */
export class LiveScreen {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly #terminal: OutputStream;
  readonly #draw: DrawLines;
  /** the displayed lines */
  #shown: readonly string[] = [];
  #lineOpen = false;
  #redraw: NodeJS.Timeout | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;

  constructor({ stdout, stderr }: Pick<World, 'stdout' | 'stderr'>, draw: DrawLines) {
    this.#terminal = stdout;
    this.#draw = draw;
    this.stdout = this.#around(stdout);
    this.stderr = stderr.isTerminal ? this.#around(stderr) : stderr;
  }

  /** Starts to display lines; does nothing if it has started already. */
  start(): void {
    if (this.#ticking !== undefined) return;
    this.#ticking = setInterval(() => this.#show(), TICK_MS);
    this.#ticking.unref();
    this.#stopListening = this.#terminal.onResize?.(() => this.#show());
    this.#soon();
  }

  /** Removes the lines and stops updates until the next {@link start}. */
  stop(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#redraw);
    this.#ticking = undefined;
    this.#redraw = undefined;
    this.#stopListening?.();
    this.#stopListening = undefined;
    const erased = this.#erasure();
    if (erased !== '') this.#control(erased);
  }

  #around(stream: OutputStream): OutputStream {
    const write = (text: string | Uint8Array): void => {
      const erased = this.#erasure();
      if (erased !== '') this.#control(erased);
      stream.write(text);
      if (text.length > 0) this.#lineOpen = text.at(-1) !== '\n' && text.at(-1) !== 10;
      if (this.#ticking !== undefined) this.#soon();
    };
    return {
      write,
      get isTerminal() {
        return stream.isTerminal;
      },
      get columns() {
        return stream.columns;
      },
      get rows() {
        return stream.rows;
      },
    };
  }

  #soon(): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.#show();
    }, REDRAW_MS).unref();
  }

  #show(): void {
    if (this.#lineOpen) return;
    const { columns, rows = 24 } = this.#terminal;
    const lines = this.#draw({ columns, rows }).map(terminalText);
    if (lines.length === 0 && this.#shown.length === 0) return;
    const text = `${BEGIN}${this.#erasure()}${lines.map((line) => `${line}\n`).join('')}${END}`;
    this.#shown = lines;
    this.#control(text);
  }

  #control(sequences: string): void {
    if (this.#terminal.control === undefined) this.#terminal.write(sequences);
    else this.#terminal.control(sequences);
  }

  /**
   * Returns the escape sequences that erase the displayed lines, including line breaks caused by a narrower terminal.
   */
  #erasure(): string {
    if (this.#shown.length === 0) return '';
    const columns = Math.max(1, this.#terminal.columns);
    let rows = 0;
    for (const line of this.#shown) rows += Math.max(1, Math.ceil(displayWidth(line) / columns));
    this.#shown = [];
    return `\u001b[${rows}A\r\u001b[J`;
  }
}
