import type { Diagnostic } from '@terrane/hcl';
import { streamLine, type StreamMessage } from '@terrane/render';
import type { World } from '../world.ts';
import { inProgramName } from './program-name.ts';

/** Prints JSON lines for programs; the first line contains the versions. */
export class JsonView {
  readonly #world: World;

  /** `isBegun`: the first line is written already. */
  constructor(world: World, isBegun: boolean = false) {
    this.#world = world;
    if (!isBegun) this.message({ kind: 'version' });
  }

  /** A text of Terrane with the name that the program was called by. */
  named(text: string): string {
    return inProgramName(text, this.#world);
  }

  message(message: StreamMessage): void {
    this.#world.stdout.write(streamLine(message, new Date()));
  }

  /** Prints a line that is already a JSON object. */
  raw(line: string): void {
    this.#world.stdout.write(`${line}\n`);
  }

  log(text: string): void {
    this.message({ kind: 'log', text });
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.message({ kind: 'diagnostic', diagnostic });
  }

  /** A message of another kind, or of none; members in the order of their names. */
  note(
    text: string,
    members: Readonly<Record<string, unknown>>,
    level: 'info' | 'warn' | 'error' = 'info',
  ): void {
    const now = `${new Date().toISOString().slice(0, 19)}Z`;
    const all = {
      '@level': level,
      '@message': text,
      '@module': 'terraform.ui',
      '@timestamp': now,
      ...members,
    };
    const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
    this.#world.stdout.write(`${JSON.stringify(Object.fromEntries(sorted))}\n`);
  }
}
