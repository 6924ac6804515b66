import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { packTar, type ParsedTarEntryWithData, type TarEntry, unpackTar } from 'modern-tar';

const LARGEST = { bytes: 256 * 1024 * 1024, entries: 100_000 };

/** A file, directory or link of an archive, whose name is its path. */
type Entry = Pick<ParsedTarEntryWithData, 'header' | 'data'>;

/**
 * Returns the archive of a configuration made of the archive of a repository: without the directory that providers put
 * around it, and with files, directories and links only.
 */
export async function repackArchive(archive: Uint8Array): Promise<Buffer> {
  return await packEntries(await entriesOf(archive, LARGEST.bytes));
}

/** Returns the files, directories and links of the archive of a repository. Rejects if it is larger when unpacked. */
export async function entriesOf(
  archive: Uint8Array,
  largestBytes: number,
): Promise<readonly Entry[]> {
  const tar = await promisify(gunzip)(archive, { maxOutputLength: largestBytes });
  const entries = await unpackTar(tar);
  if (entries.length > LARGEST.entries) throw new Error('The repository has too many files.');
  const remaining = entries.filter(({ header: { type } }) =>
    ['file', 'directory', 'symlink'].includes(type ?? 'file'),
  );
  const roots = new Set(
    remaining.map(({ header }) => header.name.replace(/^\.\//, '').split('/')[0]),
  );
  const [root] = roots;
  const hasRoot = roots.size === 1 && remaining.some(({ header }) => header.name.includes('/'));
  return remaining.flatMap(({ header, data }): readonly Entry[] => {
    const name = header.name.replace(/^\.\//, '');
    const inner = hasRoot ? name.slice((root ?? '').length + 1) : name;
    if (inner === '' || inner === '/') return [];
    return [{ header: { ...header, name: inner }, ...(data !== undefined && { data }) }];
  });
}

/** Returns an archive of files, directories and links. */
export async function packEntries(entries: readonly Entry[]): Promise<Buffer> {
  const packed = entries.map(({ header, data }): TarEntry => {
    const { name, type, mode, linkname } = header;
    const size = type === 'file' || type === undefined ? (data?.length ?? 0) : 0;
    return {
      header: {
        name,
        size,
        type: type ?? 'file',
        ...(mode !== undefined && { mode }),
        ...(linkname !== undefined && { linkname }),
      },
      ...(size > 0 && data !== undefined && { body: data }),
    };
  });
  return await promisify(gzip)(await packTar(packed));
}

export type { Entry as ArchiveEntry };
