import type { AppendFile, FileSystem } from '@terrane/host';
import { pathKey, pathProblem } from '../../file-names.ts';
import { FetchFailed } from '../fetch/fetch-failed.ts';

/** The maximum number of archive entries, to bound malicious archives. Real modules have far fewer. */
const MAX_ENTRIES = 1_000_000;
/** Files up to this size are collected and written at once. */
const BUFFERED_BYTES = 1024 * 1024;

/** Returns the message for an archive that holds more than `limit` bytes. */
export function tooLarge(limit: number): string {
  return `the archive unpacks to more than ${limit} bytes, which is far more than a module can have`;
}

/**
 * Writes the entries of an archive below a directory. Entries outside of it are rejected, and no links are created: as
 * in Terraform, a link in an archive becomes a file.
 */
export class UnpackedTree {
  readonly #files: FileSystem;
  readonly #root: string;
  readonly #createdDirectories: Set<string> = new Set();
  /** original names by their normalized form, on file systems with equivalent names */
  readonly #names: Map<string, string> = new Map();
  readonly #modes: [path: string, mode: number][] = [];
  readonly #limit: number;
  #entries = 0;
  #announced = 0;
  #written = 0;

  /** The archive may hold `limit` bytes. */
  constructor(files: FileSystem, root: string, limit: number) {
    this.#files = files;
    this.#root = root;
    this.#limit = limit;
  }

  /** Adds the declared size of an entry before it is read. Throws if the archive is too large. */
  announce(size: number): void {
    this.#entries += 1;
    this.#announced += size;
    if (this.#entries > MAX_ENTRIES) {
      throw new FetchFailed(`the archive contains too many files: more than ${MAX_ENTRIES}`);
    }
    this.#check(this.#announced);
  }

  #check(bytes: number): void {
    if (bytes > this.#limit) throw new FetchFailed(tooLarge(this.#limit));
  }

  /** Creates a directory; `mode`, if present, is set after all entries are unpacked. */
  async directory(name: string, mode?: number): Promise<void> {
    const path = this.#place(name);
    await this.#make(path);
    if (mode !== undefined) this.#modes.push([path, mode]);
  }

  /** Writes a file with the mode that the archive has for it; large ones piece by piece. */
  async file(name: string, mode: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#place(name);
    await this.#make(path.slice(0, path.lastIndexOf('/')));
    let pieces: Uint8Array[] = [];
    let size = 0;
    let file: AppendFile | undefined;
    const flush = async (): Promise<void> => {
      const bytes = Buffer.concat(pieces);
      [pieces, size] = [[], 0];
      if (file === undefined) await this.#files.writeFile(path, bytes);
      else await file.write(bytes);
    };
    try {
      for await (const piece of content) {
        this.#written += piece.length;
        this.#check(this.#written);
        pieces.push(piece);
        size += piece.length;
        if (size < BUFFERED_BYTES) continue;
        await flush();
        file ??= await this.#files.openAppend(path);
      }
      if (size > 0 || file === undefined) await flush();
    } finally {
      await file?.close();
    }
    await this.#files.chmod(path, mode & 0o777);
  }

  /** Sets the modes of directories, after all files are written. */
  async finish(): Promise<void> {
    for (const [path, mode] of this.#modes) await this.#files.chmod(path, mode & 0o777);
  }

  #place(name: string): string {
    const { nameRules } = this.#files;
    const problem = pathProblem(name, nameRules);
    if (problem !== undefined) throw new FetchFailed(problem);
    const inside = name
      .split(nameRules === 'windows' ? /[/\\]/ : '/')
      .filter((part) => part !== '' && part !== '.');
    if (nameRules !== undefined && nameRules !== 'posix') this.#checkCase(inside);
    return [this.#root, ...inside].join('/');
  }

  /** Rejects names that differ only for a case-sensitive file system: one would replace the other. */
  #checkCase(parts: readonly string[]): void {
    for (let length = 1; length <= parts.length; length++) {
      const name = parts.slice(0, length).join('/');
      const key = pathKey(name, this.#files.nameRules);
      const existing = this.#names.get(key) ?? name;
      if (existing !== name) {
        throw new FetchFailed(
          `the archive has entries whose names are the same on this system: ${existing} and ${name}`,
        );
      }
      this.#names.set(key, name);
    }
  }

  async #make(path: string): Promise<void> {
    if (this.#createdDirectories.has(path)) return;
    await this.#files.makeDirectory(path);
    this.#createdDirectories.add(path);
  }
}
