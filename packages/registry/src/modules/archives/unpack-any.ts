import type { FileSystem } from '@terrane/host';
import type { ArchiveKind } from './archive-kind.ts';
import { unpack } from './unpack.ts';

/** The magic bytes of archives. */
const BEGINNINGS: readonly (readonly [kind: ArchiveKind, bytes: readonly number[]])[] = [
  ['zip', [0x50, 0x4b]],
  ['tar.gz', [0x1f, 0x8b]],
  ['tar.bz2', [0x42, 0x5a, 0x68]],
  ['tar.xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
];

/** Unpacks an archive of unknown kind, which is detected by its first bytes. Throws as `unpack` does. */
export async function unpackAny(
  files: FileSystem,
  archive: Uint8Array,
  directory: string,
): Promise<void> {
  const format = BEGINNINGS.find(([, bytes]) => bytes.every((byte, at) => archive[at] === byte));
  if (format === undefined)
    throw new Error('extracting package archive: unsupported archive format');
  await unpack(files, format[0], archive, directory, 'the package');
}
