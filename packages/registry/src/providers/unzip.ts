import { type FileSystem, type ReadFile, userErrorText } from '@terrane/host';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import { unpackedLimit } from '../archive-limits.ts';
import { type NameRules, pathKey, pathProblem } from '../file-names.ts';
import { hashOfFiles } from './package-hash.ts';

/** An entry of an archive: a file, or a directory if its name ends with a slash. */
interface Entry {
  readonly name: string;
  /** bytes, unpacked */
  readonly size: number;
  /** permission bits; undefined if the archive has none */
  readonly mode: number | undefined;
  readonly isDirectory: boolean;
  readonly isLink: boolean;
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Unpacks an archive into an empty directory. Before anything is written, rejects malformed archives, paths outside the
 * directory, links, duplicate names, and excessive compression ratios.
 */
export async function unzip(files: FileSystem, archive: string, directory: string): Promise<void> {
  await withEntries(files, archive, async (entries, packedSize) => {
    if (entries.length === 0) throw new Error(`empty archive: ${archive}`);
    check(entries, packedSize, files.nameRules);
    for (const entry of entries) {
      const path = `${directory}/${entry.name.replace(/\/$/, '')}`;
      if (entry.isDirectory) {
        await files.makeDirectory(path);
        continue;
      }
      await files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
      await files.replaceFile(path, entry.read());
      await files.chmod(path, entry.mode ?? 0o666);
    }
  });
}

/** Returns the `h1:` checksum of an archive's content (`golang.org/x/mod/sumdb/dirhash`, HashZip). */
export async function zipHash(files: FileSystem, archive: string): Promise<string> {
  return await withEntries(files, archive, async (entries, packedSize) => {
    check(entries, packedSize);
    return await hashOfFiles(
      entries.map((entry) => ({
        name: entry.name,
        pieces: () => (entry.isDirectory ? noBytes() : entry.read()),
      })),
    );
  });
}

async function* noBytes(): AsyncGenerator<Uint8Array> {
  // A directory has no content.
}

function check(entries: readonly Entry[], packedSize: number, rules?: NameRules): void {
  const names = new Set<string>();
  let total = 0;
  for (const { name, size, isLink } of entries) {
    const parts = name.replace(/\/$/, '').split('/');
    if (name.split(/[/\\]/).includes('..')) throw new Error(`entry contains '..': ${name}`);
    if (name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.includes('\\')) {
      throw new Error(`archive has an entry outside of its directory: ${name}`);
    }
    if (name.includes('\0') || parts.includes('') || parts.includes('.')) {
      throw new Error(`archive has an entry with an invalid name: ${JSON.stringify(name)}`);
    }
    if (isLink) throw new Error(`archive has a link, which packages must not have: ${name}`);
    const problem = pathProblem(name, rules);
    if (problem !== undefined) throw new Error(problem);
    // Packages are unpacked on all systems, so no two names may be one on any of them.
    const plain = pathKey(name, 'macos');
    if (names.has(plain)) throw new Error(`archive has two entries with the same name: ${name}`);
    names.add(plain);
    total += size;
  }
  if (total > unpackedLimit(packedSize)) {
    throw new Error(
      `archive of ${packedSize} bytes unpacks to ${total} bytes, which is far more than a package can have`,
    );
  }
}

async function withEntries<T>(
  files: FileSystem,
  archive: string,
  use: (entries: readonly Entry[], packedSize: number) => Promise<T>,
): Promise<T> {
  const file = await files.openRead(archive);
  let zip: yauzl.ZipFile | undefined;
  try {
    zip = await open(file);
    return await use(await entriesOf(zip), file.size);
  } finally {
    zip?.close();
    await file.close();
  }
}

/** Adapts an open file to the archive library. */
class FileReader extends yauzl.RandomAccessReader {
  readonly #file: ReadFile;

  constructor(file: ReadFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(pieces(this.#file, start, end), { objectMode: false });
  }
}

const PIECE = 1024 * 1024;

async function* pieces(file: ReadFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let offset = start; offset < end;) {
    const piece = await file.read(offset, Math.min(PIECE, end - offset));
    if (piece.length === 0) throw new Error('unexpected EOF');
    offset += piece.length;
    yield piece;
  }
}

function open(file: ReadFile): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: false } as const;
    yauzl.fromRandomAccessReader(new FileReader(file), file.size, options, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(new Error('zip: not a valid zip file', { cause: error }));
    });
  });
}

function entriesOf(zip: yauzl.ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(describe(zip, entry));
      zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', (error: unknown) => {
      reject(new Error(entryError(userErrorText(error)), { cause: error }));
    });
    zip.readEntry();
  });
}

function entryError(text: string): string {
  const [, kind, name] = /^(invalid relative path|absolute path): (.*)$/s.exec(text) ?? [];
  if (kind === undefined) return `zip: not a valid zip file: ${text}`;
  return kind === 'absolute path'
    ? `archive has an entry outside of its directory: ${name}`
    : `entry contains '..': ${name}`;
}

const UNIX = 3;
const DARWIN = 19;
const KIND_MASK = 0o170000;
const LINK = 0o120000;

function describe(zip: yauzl.ZipFile, entry: yauzl.Entry): Entry {
  const system = entry.versionMadeBy >> 8;
  const unixMode = system === UNIX || system === DARWIN ? entry.externalFileAttributes >>> 16 : 0;
  return {
    name: entry.fileName,
    size: entry.uncompressedSize,
    mode: unixMode === 0 ? undefined : unixMode & 0o777,
    isDirectory: entry.fileName.endsWith('/'),
    isLink: (unixMode & KIND_MASK) === LINK,
    read: () => readEntry(zip, entry),
  };
}

async function* readEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): AsyncGenerator<Uint8Array> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => {
      if (error === null) resolve(opened);
      else reject(error);
    });
  });
  let sum = 0;
  // Without an encoding, the chunks are bytes.
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    sum = crc32(piece, sum);
    yield piece;
  }
  if (sum !== entry.crc32) throw new Error('zip: checksum error');
}
