import type { FileSystem } from '@terrane/host';
import { filePieces, hashOfFiles } from '../providers/package-hash.ts';
import { HISTORY } from './copy-directory.ts';

/** A file of a package: its name and its bytes. */
interface HashedFile {
  readonly name: string;
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/**
 * Returns the `h1:` hash of a module package: Hash1 of golang.org/x/mod/sumdb/dirhash over its files, without `.git`
 * and `.hg`, which differ between clones. A link to a file of the package counts as that file, as in Go. Other links,
 * which Go cannot hash, count as an entry named `NAME/` that contains their target, and are not followed.
 */
export async function modulePackageHash(files: FileSystem, directory: string): Promise<string> {
  const root = await files.realPath(directory);
  const content: HashedFile[] = [];
  await addFiles(files, root, root, '', content);
  return await hashOfFiles(content);
}

async function addFiles(
  files: FileSystem,
  root: string,
  directory: string,
  prefix: string,
  content: HashedFile[],
): Promise<void> {
  for (const { name, kind } of await files.readDirectory(directory)) {
    // A submodule has a file of this name instead of a directory.
    if (HISTORY.has(name)) continue;
    const path = `${directory}/${name}`;
    if (kind === 'directory') await addFiles(files, root, path, `${prefix}${name}/`, content);
    else if (kind === 'file' || (kind === 'link' && (await isFileInside(files, root, path)))) {
      content.push({ name: `${prefix}${name}`, pieces: () => filePieces(files, path) });
    } else if (kind === 'link') {
      const target = (await files.readLink(path)) ?? '';
      content.push({ name: `${prefix}${name}/`, pieces: () => textPieces(target) });
    }
  }
}

/** Returns true if a link leads to a file of the package. */
async function isFileInside(files: FileSystem, root: string, path: string): Promise<boolean> {
  if ((await files.stat(path).catch(() => undefined))?.kind !== 'file') return false;
  const target = (await files.realPath(path)).replaceAll('\\', '/');
  const top = `${root.replaceAll('\\', '/')}/`;
  return (
    target.startsWith(top) &&
    !target
      .slice(top.length)
      .split('/')
      .some((part) => HISTORY.has(part))
  );
}

async function* textPieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const MAX_REFERENCE = 64 * 1024 * 1024;

/** Returns the commit that is checked out in a package from Git; undefined for other packages. */
export async function checkedOutCommit(
  files: Pick<FileSystem, 'stat' | 'readText'>,
  directory: string,
): Promise<string | undefined> {
  const git = `${directory}/.git`;
  const read = async (name: string): Promise<string | undefined> => {
    const stat = await files.stat(`${git}/${name}`);
    return stat?.kind === 'file' && stat.size <= MAX_REFERENCE
      ? (await files.readText(`${git}/${name}`)).trim()
      : undefined;
  };
  const head = await read('HEAD');
  if (head === undefined || COMMIT.test(head)) return head;
  const branch = /^ref: (refs\/[^\n]+)$/.exec(head)?.[1];
  if (branch === undefined || branch.split('/').includes('..')) return undefined;
  const direct = await read(branch);
  if (direct !== undefined && COMMIT.test(direct)) return direct;
  for (const line of (await read('packed-refs'))?.split('\n') ?? []) {
    const [commit = '', name] = line.split(' ');
    if (name === branch && COMMIT.test(commit)) return commit;
  }
  return undefined;
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
