import { type FileSystem, userErrorText } from '@terrane/host';
import { Readable } from 'node:stream';
import { unpackedLimit } from '../../archive-limits.ts';
import { FetchFailed } from '../fetch/fetch-failed.ts';
import type { ArchiveKind } from './archive-kind.ts';
import { tooLarge, UnpackedTree } from './unpacked-tree.ts';

/**
 * Unpacks an archive into a new directory. Throws `FetchFailed` if it is of another kind, is empty, has entries outside
 * of the directory, or exceeds `limit` bytes. `name` is its name in errors.
 */
export async function unpack(
  files: FileSystem,
  kind: ArchiveKind,
  archive: Uint8Array,
  directory: string,
  name: string,
  limit: number = unpackedLimit(archive.length),
): Promise<void> {
  if (kind === 'gz' || kind === 'bz2' || kind === 'xz') {
    const word = { gz: 'gzip', bz2: 'bzip2', xz: 'xz' }[kind];
    throw new FetchFailed(`${word}-compressed files can only unarchive to a single file`);
  }
  await files.makeDirectory(directory);
  const tree = new UnpackedTree(files, directory, limit);
  if (kind === 'zip') {
    const { unpackZip } = await import('./unpack-zip.ts');
    await unpackZip(archive, tree, name);
    return;
  }
  const { unpackTar } = await import('./unpack-tar.ts');
  try {
    await unpackTar(limitStream(await inflated(kind, archive, limit), limit), tree, name);
  } catch (error) {
    if (error instanceof FetchFailed || isSystemError(error)) throw error;
    throw new FetchFailed(unpackErrorText(kind, name, error), error);
  }
}

async function inflated(
  kind: 'tar.gz' | 'tar.bz2' | 'tar.xz',
  archive: Uint8Array,
  limit: number,
): Promise<ReadableStream<Uint8Array>> {
  const source = Readable.from(pieces(archive));
  switch (kind) {
    case 'tar.gz': {
      const { createGunzip } = await import('node:zlib');
      return webStream(joined(source, createGunzip()));
    }
    case 'tar.bz2': {
      const { default: unbzip2 } = await import('unbzip2-stream');
      return throughOldStream(pieces(archive), unbzip2(), limit);
    }
    case 'tar.xz': {
      const { XzReadableStream } = await import('xz-decompress');
      return new XzReadableStream(webStream(source));
    }
  }
}

function joined<T extends NodeJS.ReadWriteStream & Readable>(source: Readable, through: T): T {
  source.on('error', (error) => through.destroy(error));
  return source.pipe(through);
}

/** Adapts a Node stream, which emits its output while its input is written. */
function throughOldStream(
  source: Iterator<Uint8Array>,
  through: NodeJS.ReadWriteStream,
  limit: number,
): ReadableStream<Uint8Array> {
  let size = 0;
  let hasOutput = false;
  let ended = false;
  return new ReadableStream({
    start(controller) {
      through.on('data', (piece: Uint8Array) => {
        hasOutput = true;
        size += piece.length;
        // Thrown into the decoder, which would otherwise unpack its entire input before anything is read.
        if (size > limit) throw new FetchFailed(tooLarge(limit));
        if (piece.length > 0) controller.enqueue(piece);
      });
      through.on('end', () => controller.close());
      through.on('error', (error) => {
        ended = true;
        controller.error(error);
      });
    },
    pull() {
      for (hasOutput = false; !hasOutput && !ended;) {
        const next = source.next();
        ended = next.done === true;
        if (next.done === true) through.end();
        else through.write(next.value);
      }
    },
  });
}

/** Aborts a stream that exceeds the limit of an archive, regardless of the declared sizes. */
function limitStream(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): ReadableStream<Uint8Array> {
  // The limit excludes headers and padding of entries.
  const maxBytes = limit * 2;
  let size = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        size += piece.length;
        if (size > maxBytes) throw new FetchFailed(tooLarge(limit));
        controller.enqueue(piece);
      },
    }),
  );
}

function webStream(stream: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

const PIECE = 64 * 1024;

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unpackErrorText(kind: ArchiveKind, name: string, error: unknown): string {
  const reason = userErrorText(error);
  switch (kind) {
    case 'tar.gz':
      return `Error opening a gzip reader for ${name}: ${/header/.test(reason) ? 'gzip: invalid header' : reason}`;
    case 'tar.xz':
      return `Error opening an xz reader for ${name}: ${reason}`;
    case 'tar.bz2':
      return /magic|BZIP/.test(reason) ? 'bzip2 data invalid: bad magic value' : reason;
    default:
      return reason;
  }
}
