import { createHash, type Hash } from 'node:crypto';
import type { FileSystem } from '@terrane/host';

const PIECE = 1024 * 1024;

/** The bytes of a file, in pieces. */
export async function* filePieces(
  files: Pick<FileSystem, 'openRead'>,
  path: string,
): AsyncGenerator<Uint8Array> {
  const file = await files.openRead(path);
  try {
    for (let offset = 0; offset < file.size;) {
      const piece = await file.read(offset, PIECE);
      if (piece.length === 0) return;
      offset += piece.length;
      yield piece;
    }
  } finally {
    await file.close();
  }
}

async function sha256(pieces: AsyncIterable<Uint8Array>): Promise<Hash> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash;
}

/** The `zh:` checksum of an archive: of its bytes. */
export async function archiveHash(
  files: Pick<FileSystem, 'openRead'>,
  path: string,
): Promise<string> {
  return `zh:${(await sha256(filePieces(files, path))).digest('hex')}`;
}

/** Returns the names of the files of a package, in directories of any depth. */
async function packageFiles(
  files: Pick<FileSystem, 'readDirectory' | 'stat'>,
  directory: string,
  prefix = '',
): Promise<string[]> {
  const names: string[] = [];
  for (const { name, kind } of await files.readDirectory(directory)) {
    const path = `${directory}/${name}`;
    if (kind === 'directory') {
      names.push(...(await packageFiles(files, path, `${prefix}${name}/`)));
    } else if ((await files.stat(path)) !== undefined) names.push(`${prefix}${name}`);
  }
  return names;
}

/** The `h1:` checksum of an unpacked package, as Go modules have it (`golang.org/x/mod/sumdb/dirhash`, Hash1). */
export async function directoryHash(files: FileSystem, directory: string): Promise<string> {
  const names = await packageFiles(files, directory);
  return await hashOfFiles(
    names.map((name) => ({ name, pieces: () => filePieces(files, `${directory}/${name}`) })),
  );
}

/** The `h1:` checksum of files by name, in any order. */
export async function hashOfFiles(
  content: readonly { readonly name: string; readonly pieces: () => AsyncIterable<Uint8Array> }[],
): Promise<string> {
  const packageHash = createHash('sha256');
  const sorted = [...content].sort((a, b) =>
    Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)),
  );
  for (const { name, pieces } of sorted) {
    if (name.includes('\n')) {
      throw new Error('dirhash: filenames with newlines are not supported');
    }
    packageHash.update(`${(await sha256(pieces())).digest('hex')}  ${name}\n`);
  }
  return `h1:${packageHash.digest('base64')}`;
}
