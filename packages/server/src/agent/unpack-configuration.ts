import { gunzip } from 'node:zlib';
import { posix } from 'node:path';
import { unpackTar } from 'modern-tar';
import type { FileSystem } from '@terrane/host';

/** The maximum size of an unpacked configuration in bytes. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
const MAX_ENTRIES = 100_000;

/**
 * Unpacks an uploaded configuration into an empty directory. Rejects archives that are too large, and entries that lead
 * outside of the directory: the archive may come from anyone who can start a plan.
 */
export async function unpackConfiguration(
  files: FileSystem,
  archive: Uint8Array,
  directory: string,
  largestBytes: number = MAX_UNPACKED_BYTES,
): Promise<void> {
  const tar = await new Promise<Buffer>((resolve, reject) => {
    gunzip(archive, { maxOutputLength: largestBytes }, (error, bytes) => {
      if (error === null) resolve(bytes);
      else {
        const isTooLarge = 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
        const reason = isTooLarge ? `it has more than ${largestBytes} bytes.` : error.message;
        reject(new Error(`The configuration cannot be unpacked: ${reason}`));
      }
    });
  });
  const entries = await unpackTar(tar);
  if (entries.length > MAX_ENTRIES) throw new Error('The configuration has too many files.');
  // Links last: a file must not be written through one.
  for (const { header, data } of entries) {
    const path = insideOf(header.name);
    if (path === '.') continue;
    const target = posix.join(directory, path);
    if (header.type === 'directory') await files.makeDirectory(target);
    if (header.type !== 'file') continue;
    await files.makeDirectory(posix.dirname(target));
    const isProgram = ((header.mode ?? 0) & 0o100) !== 0;
    await files.writeFile(target, data ?? new Uint8Array(), { mode: isProgram ? 0o700 : 0o600 });
  }
  const links = entries.filter(({ header: { type } }) => type === 'symlink' || type === 'link');
  // The directory of a link is a real one: behind another link, its target would lead elsewhere.
  const linked = new Set(links.map(({ header }) => insideOf(header.name)));
  for (const { header } of links) {
    for (let at = posix.dirname(insideOf(header.name)); at !== '.'; at = posix.dirname(at)) {
      if (linked.has(at)) throw outside(header.name);
    }
  }
  for (const { header } of links) {
    const path = insideOf(header.name);
    const to = header.linkname ?? '';
    insideOf(header.type === 'link' ? to : posix.join(posix.dirname(path), to));
    if (to.startsWith('/')) throw outside(to);
    const link = posix.join(directory, path);
    await files.makeDirectory(posix.dirname(link));
    // Without ".." behind a name, which could be that of a link.
    const relative =
      header.type === 'link'
        ? posix.relative(posix.dirname(path), insideOf(to))
        : posix.normalize(to);
    if ((await files.stat(link)) === undefined) await files.symbolicLink(relative, link);
  }
}

/** Returns the normal form of a path in the archive. Throws if it leads outside. */
function insideOf(name: string): string {
  const path = posix.normalize(name).replace(/\/$/, '');
  if (path.startsWith('/') || path === '..' || path.startsWith('../') || path.includes('\0')) {
    throw outside(name);
  }
  return path;
}

function outside(name: string): Error {
  return new Error(
    `The configuration has an entry outside of its directory: ${JSON.stringify(name)}. It was not unpacked.`,
  );
}
