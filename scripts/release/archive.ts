// Archives whose bytes depend on nothing but the contents: sorted, with one time, without owners.
import { promisify } from 'node:util';
import { gzip as gzipBytes } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { packTar } from 'modern-tar';

/** A file of an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly contents: Uint8Array;
  readonly executable?: boolean;
}

/** The time of all files: that of npm's archives. */
const TIME = new Date('1985-10-26T08:15:00Z');

const sorted = (files: readonly ArchiveFile[]): readonly ArchiveFile[] =>
  files.toSorted((a, b) => (a.path < b.path ? -1 : 1));

/** Compresses with gzip, without the name and the time of a file. */
export async function gzip(contents: Uint8Array, level = 6): Promise<Uint8Array> {
  const bytes = await promisify(gzipBytes)(contents, { level });
  // The byte that names the operating system: unknown.
  bytes[9] = 255;
  return bytes;
}

/** Returns the directories above the files, outermost first. */
function directoriesOf(files: readonly ArchiveFile[]): readonly string[] {
  const directories = new Set<string>();
  for (const { path } of files) {
    const parts = path.split('/').slice(0, -1);
    for (const [index] of parts.entries()) {
      const directory = parts.slice(0, index + 1).join('/');
      if (directory !== '.') directories.add(`${directory}/`);
    }
  }
  return [...directories].sort();
}

/** Returns an uncompressed tar archive, on request with an entry for each directory. */
export async function tar(
  files: readonly ArchiveFile[],
  { directories = false }: { readonly directories?: boolean } = {},
): Promise<Uint8Array> {
  const owner = { mtime: TIME, uid: 0, gid: 0, uname: 'root', gname: 'root' };
  const above = (directories ? directoriesOf(files) : []).map((name) => ({
    header: { ...owner, name, size: 0, mode: 0o755, type: 'directory' as const },
  }));
  const entries = sorted(files).map(({ path, contents, executable }) => ({
    header: {
      ...owner,
      name: path,
      size: contents.length,
      mode: executable === true ? 0o755 : 0o644,
      type: 'file' as const,
    },
    body: contents,
  }));
  return packTar([...above, ...entries]);
}

/** Returns a compressed tar archive. */
export async function tarGz(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  return gzip(await tar(files));
}

/** Returns a zip archive. */
export function zip(files: readonly ArchiveFile[]): Uint8Array {
  // Times of this format have no zone: they are read as those of the machine.
  const mtime = new Date(1985, 9, 26, 8, 15);
  const UNIX = 3;
  const REGULAR_FILE = 0o100_000;
  const entries = sorted(files).map(({ path, contents, executable }) => {
    const mode = REGULAR_FILE | (executable === true ? 0o755 : 0o644);
    return [path, [contents, { mtime, os: UNIX, attrs: mode * 0x10000 }]] as const;
  });
  return zipSync(Object.fromEntries(entries) as Zippable, { level: 6 });
}
