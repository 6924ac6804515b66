import { crc32 } from 'node:zlib';
import { fromBuffer, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { FetchFailed } from '../fetch/fetch-failed.ts';
import type { UnpackedTree } from './unpacked-tree.ts';

/** Archives of Unix systems, where the upper half of the attributes is a mode. */
const UNIX = new Set([3, 19]);

/** Unpacks a zip archive. `name` is its name in errors. */
export async function unpackZip(
  archive: Uint8Array,
  tree: UnpackedTree,
  name: string,
): Promise<void> {
  const zip = await open(archive);
  if (zip.entryCount === 0) throw new FetchFailed(`empty archive: ${name}`);
  for await (const entry of entriesOf(zip)) {
    const path = getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    );
    tree.announce(entry.uncompressedSize);
    if (isDirectory(entry, path)) await tree.directory(path);
    else await tree.file(path, modeOf(entry), contentOf(zip, entry));
  }
}

function open(archive: Uint8Array): Promise<ZipFile> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  return new Promise((resolve, reject) => {
    // Names are validated when the entries are written, with Terraform's error messages.
    const options = { lazyEntries: true, decodeStrings: false, autoClose: false };
    fromBuffer(bytes, options, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(new FetchFailed('zip: not a valid zip file', error));
    });
  });
}

async function* entriesOf(zip: ZipFile): AsyncIterable<Entry> {
  for (let at = 0; at < zip.entryCount; at++) {
    yield await new Promise<Entry>((resolve, reject) => {
      zip.once('entry', resolve);
      zip.once('error', (error) => reject(new FetchFailed('zip: not a valid zip file', error)));
      zip.readEntry();
    }).finally(() => {
      zip.removeAllListeners('entry');
      zip.removeAllListeners('error');
    });
  }
}

function isDirectory(entry: Entry, path: string): boolean {
  if (path.endsWith('/')) return true;
  return isUnix(entry) && ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o040000;
}

function isUnix(entry: Entry): boolean {
  return UNIX.has(entry.versionMadeBy >>> 8);
}

function modeOf(entry: Entry): number {
  if (isUnix(entry)) return (entry.externalFileAttributes >>> 16) & 0o777;
  // DOS only has a read-only flag.
  return (entry.externalFileAttributes & 1) === 0 ? 0o666 : 0o444;
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  const stream = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
    throw new FetchFailed('zip: not a valid zip file', error);
  });
  // Without an encoding, the chunks are bytes.
  const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await pieces.next().catch((error: unknown) => {
        throw new FetchFailed('zip: not a valid zip file', error);
      });
      if (next.done === true) break;
      sum = crc32(next.value, sum);
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
  if (sum !== entry.crc32) throw new FetchFailed('zip: checksum error');
}
