import type { FileSystem } from '@terrane/host';
import { FetchFailed } from '../fetch/fetch-failed.ts';

/** What an archive may hold at most. Nobody's module is near it; it is there to end what never ends. */
const MOST_ENTRIES = 1_000_000;
const MOST_BYTES = 16 * 1024 ** 3;

/**
 * Writes the entries of an archive below a directory. No entry comes to lie outside, and no links are made:
 * as in Terraform, a link in an archive becomes a file.
 */
export class UnpackedTree {
  readonly #files: FileSystem;
  readonly #root: string;
  readonly #made: Set<string> = new Set();
  readonly #modes: [path: string, mode: number][] = [];
  #entries = 0;
  #bytes = 0;

  constructor(files: FileSystem, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /** Counts what an entry says of its size before it is read. Throws where the archive holds too much. */
  announce(size: number): void {
    this.#entries += 1;
    this.#bytes += size;
    if (this.#entries > MOST_ENTRIES) {
      throw new FetchFailed(`the archive contains too many files: more than ${MOST_ENTRIES}`);
    }
    if (this.#bytes > MOST_BYTES) {
      throw new FetchFailed(`the archive is larger than the limit of ${MOST_BYTES} bytes`);
    }
  }

  /** A directory; `mode` is set when everything is unpacked, where it is given. */
  async directory(name: string, mode?: number): Promise<void> {
    const path = this.#place(name);
    await this.#make(path);
    if (mode !== undefined) this.#modes.push([path, mode]);
  }

  /** A file with the mode that the archive tells. */
  async file(name: string, mode: number, content: Uint8Array): Promise<void> {
    const path = this.#place(name);
    await this.#make(path.slice(0, path.lastIndexOf('/')));
    await this.#files.writeFile(path, content);
    await this.#files.chmod(path, mode & 0o777);
  }

  /** Gives directories their modes, now that nothing is to be written any more. */
  async finish(): Promise<void> {
    for (const [path, mode] of this.#modes) await this.#files.chmod(path, mode & 0o777);
  }

  #place(name: string): string {
    const parts = name.split(/[/\\]/);
    if (parts.includes('..')) throw new FetchFailed(`entry contains '..': ${name}`);
    const inside = name.split('/').filter((part) => part !== '' && part !== '.');
    return [this.#root, ...inside].join('/');
  }

  async #make(path: string): Promise<void> {
    if (this.#made.has(path)) return;
    await this.#files.makeDirectory(path);
    this.#made.add(path);
  }
}
