import { createInterface, type Interface } from 'node:readline';
import type { Complete, EditedLine, LineEditor } from './world.ts';

/** A line editor for terminals with the usual keys; the arrow keys recall previous lines. */
export class TerminalEditor implements LineEditor {
  readonly #reader: Interface;
  readonly #output: NodeJS.WritableStream;
  /** Lines entered before they were requested, such as pasted ones. */
  readonly #entered: EditedLine[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, complete: Complete) {
    this.#output = output;
    this.#reader = createInterface({
      input,
      output,
      terminal: true,
      historySize: 1000,
      removeHistoryDuplicates: true,
      completer: (before: string) => {
        const { partial, candidates } = complete(before);
        return [[...candidates], partial];
      },
    });
    this.#reader.on('line', (text) => this.#take({ kind: 'line', text }));
    this.#reader.on('SIGINT', () => {
      const text = this.#reader.line;
      this.#reader.write(null, { ctrl: true, name: 'e' });
      this.#output.write('^C\n');
      this.#reader.write(null, { ctrl: true, name: 'u' });
      this.#take({ kind: 'interrupt', text });
    });
    this.#reader.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
  }

  async next(prompt: string): Promise<EditedLine> {
    if (this.#entered.length === 0 && !this.#closed) {
      this.#reader.setPrompt(prompt);
      this.#reader.prompt();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#entered.shift();
  }

  close(): void {
    this.#reader.close();
  }

  #take(entered: EditedLine): void {
    this.#entered.push(entered);
    this.#wake?.();
  }
}
