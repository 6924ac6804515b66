import {
  close,
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  mkdirSync,
  open,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { FileLock, FileSystem } from './file-system.ts';
import { throwWithPath } from './node-file-errors.ts';
import { lockFile } from './node-lock.ts';
import {
  codeOf,
  isAbsence,
  isWrittenInto,
  MAX_DIRECT_SIZE,
  putInPlace,
  removeLeftovers,
  statOrNothing,
  syncDirectory,
  untilFree,
  writeAll,
  writeBeside,
  writeInto,
} from './node-replace.ts';

const openInPool = promisify<string, string, number, number>(open);
const syncDataInPool = promisify(fdatasync);
const closeInPool = promisify(close);

/** Operations that write the content of files, and locks on files, which can replace their content. */
export function contentWriters(
  at: (path: string) => string,
  platform: string,
): Pick<
  FileSystem,
  'createExclusive' | 'lock' | 'openAppend' | 'removeLeftovers' | 'replaceFile' | 'writeFile'
> {
  return {
    async writeFile(path, data, options) {
      await fs.writeFile(at(path), data, { mode: options?.mode ?? 0o666 });
    },
    async replaceFile(path, data, options) {
      if (isWrittenInto(at(path))) {
        await writeInto(at(path), data, options?.beforeCommit);
        return;
      }
      const target = followLinks(at(path));
      const fresh = await writeBeside(target, data, options);
      closeSync(fresh.file);
      await putInPlace(fresh.path, target, options ?? {}, platform);
    },
    async removeLeftovers(path) {
      await removeLeftovers(followLinks(at(path)));
    },
    async openAppend(path, options) {
      const target = at(path);
      const stats = statOrNothing(target);
      const mode = options?.mode ?? 0o666;
      // Pipes wait for their readers.
      const file =
        stats === undefined || stats.isFile()
          ? openSync(target, 'a', mode)
          : await openInPool(target, 'a', mode);
      const directSize = fstatSync(file).isFile() ? MAX_DIRECT_SIZE : 0;
      if (stats === undefined) await syncDirectory(dirname(target), platform);
      return {
        write: (data) => writeAll(file, data, directSize).catch(throwWithPath(path)),
        sync: () => syncDataInPool(file).catch(throwWithPath(path)),
        close: () => closeInPool(file),
      };
    },
    async createExclusive(path, data, mode) {
      let file: number;
      try {
        file = await untilFree(platform, () => openSync(at(path), 'wx', mode ?? 0o666));
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
      try {
        await writeAll(file, typeof data === 'string' ? Buffer.from(data) : data);
      } finally {
        closeSync(file);
      }
      return true;
    },
    lock: (path) => lockAt(at(path), path, platform),
  };
}

/** Operations that create, move and remove directories, links and files. */
export function entryWriters(
  at: (path: string) => string,
  platform: string,
): Pick<
  FileSystem,
  'chmod' | 'copyFile' | 'makeDirectory' | 'remove' | 'removeTree' | 'rename' | 'symbolicLink'
> {
  return {
    async makeDirectory(path) {
      makeDirectories(at(path));
    },
    async remove(path, { isDurable = true } = {}) {
      try {
        await untilFree(platform, () => unlinkSync(at(path)));
      } catch (error) {
        if (isAbsence(error)) return;
        throw error;
      }
      if (isDurable) await syncDirectory(dirname(at(path)), platform);
    },
    async removeTree(path) {
      const maxRetries = platform === 'win32' ? 10 : 0;
      await fs.rm(at(path), { recursive: true, force: true, maxRetries });
    },
    async rename(from, to) {
      await untilFree(platform, () => renameSync(at(from), at(to)));
      await syncDirectory(dirname(at(to)), platform);
    },
    chmod: (path, mode) => fs.chmod(at(path), mode),
    async copyFile(from, to) {
      await fs.copyFile(at(from), at(to), constants.COPYFILE_FICLONE);
    },
    async symbolicLink(target, path) {
      // Windows has links to directories in two kinds, of which junctions need no privilege; others ignore the kind.
      await fs.symlink(target, at(path), isAbsolute(target) ? 'junction' : 'dir');
    },
  };
}

/** Locks the file at a resolved path; errors of the lock contain the original path. */
async function lockAt(
  path: string,
  givenPath: string,
  platform: string,
): ReturnType<FileSystem['lock']> {
  if (isWrittenInto(path)) return { kind: 'locked', lock: lockOfDevice(path) };
  const result = await lockFile(followLinks(path), platform);
  if (result.kind !== 'locked') return result;
  const { lock } = result;
  const replace: typeof lock.replace = (data, options) =>
    lock.replace(data, options).catch(throwWithPath(givenPath));
  return {
    ...result,
    lock: {
      created: lock.created,
      replace,
      isIntact: () => lock.isIntact(),
      release: () => lock.release(),
    },
  };
}

/**
 * Creates a directory and its parents. Node's own function never returns if the system denies the existence of an
 * existing directory, as in /proc.
 */
function makeDirectories(path: string, parentsThere = false): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !parentsThere && dirname(path) !== path) {
      makeDirectories(dirname(path));
      makeDirectories(path, true);
      return;
    }
    // Some systems report other errors for existing paths, such as that of a read-only disk.
    const stats = statOrNothing(path);
    if (stats?.isDirectory() === true) return;
    if (stats !== undefined) Object.assign(error as Error, { code: 'ENOTDIR' });
    throw error;
  }
}

function followLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  // A dangling link, possibly via other links, or no file.
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const next = linkTarget(target);
    if (next === undefined) break;
    target = resolve(dirname(target), next);
  }
  return target;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The maximum number of symbolic links that the system follows. */
const MAX_LINKS = 40;

/** Returns the lock of a device or pipe, whose content no other process can read or overwrite. */
function lockOfDevice(path: string): FileLock {
  return {
    created: false,
    replace: (data, options) => writeInto(path, data, options?.beforeCommit),
    isIntact: () => Promise.resolve(true),
    release: () => Promise.resolve(),
  };
}
