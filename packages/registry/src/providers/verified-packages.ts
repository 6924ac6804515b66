import type { FileSystem } from '@terrane/host';
import { directoryHash, packageFiles } from './package-hash.ts';

/** Packages that were read, by directory, with what they were when they were. */
type Verified = Record<string, { readonly files: string; readonly hash: string }>;

/**
 * Checksums of unpacked packages, computed again only when a file of the package has changed. They are kept
 * in a file of the data directory; where that can't be written, the next run reads the packages again.
 */
export class VerifiedPackages {
  readonly #files: FileSystem;
  readonly #path: string;

  constructor(files: FileSystem, dataDirectory: string) {
    this.#files = files;
    this.#path = `${dataDirectory}/terrane-verified-packages.json`;
  }

  /** The `h1:` checksum of what is in a directory, or in what it is a link to. */
  async hash(directory: string): Promise<string> {
    const real = await this.#files.realPath(directory);
    const facts = await packageFiles(this.#files, real);
    const key = JSON.stringify(facts);
    const known = (await this.#read())[real];
    if (known?.files === key) return known.hash;
    const hash = await directoryHash(this.#files, real, facts);
    // Others may have written meanwhile; what is lost of theirs is computed again.
    const now = await this.#read();
    now[real] = { files: key, hash };
    await this.#files.replaceFile(this.#path, JSON.stringify(now)).catch(() => undefined);
    return hash;
  }

  async #read(): Promise<Verified> {
    try {
      const read: unknown = JSON.parse(await this.#files.readText(this.#path));
      // What is not of this form matches nothing.
      return typeof read === 'object' && read !== null ? { ...(read as Verified) } : {};
    } catch {
      return {};
    }
  }
}
