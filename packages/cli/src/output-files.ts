import { resolve } from 'node:path';
import type { OutputFile, OutputStream, World } from './world.ts';

/** Files that a command writes while it runs. */
export class OutputFiles {
  readonly #world: World;
  readonly #directory: string;
  readonly #open: { readonly path: string; readonly file: OutputFile }[] = [];

  constructor(world: World, directory: string) {
    this.#world = world;
    this.#directory = directory;
  }

  /** Opens a file for writing. Throws the system error. */
  open(path: string): OutputStream {
    const file = this.#world.openOutput(resolve(this.#directory, path));
    this.#open.push({ path, file });
    return file;
  }

  /** Waits until all output is written, closes the files and reports incomplete ones. */
  async close(): Promise<void> {
    for (const { path, file } of this.#open.splice(0)) {
      const reason = await file.close();
      if (reason === undefined) continue;
      this.#world.stderr.write(
        `Warning: not all of the output could be written to ${JSON.stringify(path)}: ${reason}\n`,
      );
    }
  }
}
