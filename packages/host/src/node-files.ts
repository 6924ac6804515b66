import {
  constants,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  type BigIntStats,
  type Dirent,
  type Stats,
} from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { errorText } from './error-text.ts';
import { fileError } from './file-error.ts';
import type { DirectoryEntry, FileLock, FileStat, FileSystem } from './file-system.ts';
import { lockFile } from './node-lock.ts';
import {
  PIECE_SIZE,
  codeOf,
  isAbsence,
  isWrittenInto,
  putInPlace,
  removeLeftovers,
  statOrNothing,
  syncDirectory,
  writeAll,
  writeBeside,
  writeInto,
} from './node-replace.ts';

/**
 * Accesses the files of this machine; relative paths are resolved against `cwd`. Errors are formatted as in Go, with
 * the path as the caller passed it.
 */
export function nodeFiles(cwd: string): FileSystem {
  return { ...inWords(plainFiles(cwd)), ...(nameRules !== undefined && { nameRules }) };
}

const nameRules = ({ win32: 'windows', darwin: 'macos' } as const)[
  process.platform as 'win32' | 'darwin'
] as FileSystem['nameRules'];

/** The same with errors that are fit for users. */
function inWords(files: FileSystem): FileSystem {
  const wrappedMethods = Object.entries(files).map(([name, method]) => {
    const call = (...args: readonly unknown[]): unknown => {
      const shown = args.slice(0, OF_TWO_PATHS.has(name) ? 2 : 1).join(' ');
      try {
        const result: unknown = Reflect.apply(method, files, args);
        return result instanceof Promise ? result.catch(saying(shown)) : result;
      } catch (error) {
        return saying(shown)(error);
      }
    };
    return [name, call] as const;
  });
  // Each method is there under its name, with its own arguments.
  return Object.fromEntries(wrappedMethods) as unknown as FileSystem;
}

/** Operations whose errors name two paths. */
const OF_TWO_PATHS = new Set(['symbolicLink', 'rename', 'copyFile']);

function saying(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && fileError(error) !== undefined) {
      error.message = errorText(error, path);
    }
    throw error;
  };
}

function plainFiles(cwd: string): FileSystem {
  const at = (path: string): string => resolve(cwd, path);
  return {
    readFile: (path) => readWhole(at(path)),
    readFileSync(path) {
      try {
        return readFileSync(at(path));
      } catch (error) {
        throw withPath(error, at(path));
      }
    },
    async readText(path) {
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readWhole(at(path)));
    },
    async writeFile(path, data, options) {
      await fs.writeFile(at(path), data, { mode: options?.mode ?? 0o666 });
    },
    async replaceFile(path, data, options) {
      if (await isWrittenInto(at(path))) {
        await writeInto(at(path), data, options?.beforeCommit);
        return;
      }
      const target = await followLinks(at(path));
      const fresh = await writeBeside(target, data, options);
      await fresh.file.close();
      await putInPlace(fresh.path, target, options?.beforeCommit);
    },
    async removeLeftovers(path) {
      await removeLeftovers(await followLinks(at(path)));
    },
    async openAppend(path, options) {
      const target = at(path);
      const existed = (await statOrNothing(target)) !== undefined;
      const file = await fs.open(target, 'a', options?.mode ?? 0o666);
      if (!existed) await syncDirectory(dirname(target));
      return {
        write: (data) => writeAll(file, data).catch(saying(path)),
        sync: () => file.datasync().catch(saying(path)),
        close: () => file.close(),
      };
    },
    async openRead(path) {
      const file = await fs.open(at(path), 'r');
      try {
        const { size } = await file.stat();
        return {
          size,
          async read(offset, length) {
            const wanted = Math.min(PIECE_SIZE, length, Math.max(0, size - offset));
            const bytes = new Uint8Array(wanted);
            const { bytesRead } = await file.read(bytes, 0, wanted, offset).catch(saying(path));
            return bytes.subarray(0, bytesRead);
          },
          close: () => file.close(),
        };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async readDirectory(path) {
      return sortEntries(await fs.readdir(at(path), { withFileTypes: true }));
    },
    readDirectorySync: (path) => sortEntries(readdirSync(at(path), { withFileTypes: true })),
    async stat(path) {
      const stats = await statOrNothing(at(path));
      return stats === undefined ? undefined : describe(stats);
    },
    statSync(path) {
      try {
        const stats = statSync(at(path), { throwIfNoEntry: false });
        return stats === undefined ? undefined : describe(stats);
      } catch (error) {
        if (isAbsence(error)) return undefined;
        throw error;
      }
    },
    async createExclusive(path, data, mode) {
      let file: fs.FileHandle;
      try {
        file = await fs.open(at(path), 'wx', mode ?? 0o666);
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
      try {
        await file.writeFile(data);
      } finally {
        await file.close();
      }
      return true;
    },
    async makeDirectory(path) {
      await makeDirectories(at(path));
    },
    async remove(path) {
      try {
        await fs.unlink(at(path));
      } catch (error) {
        if (isAbsence(error)) return;
        throw error;
      }
      await syncDirectory(dirname(at(path)));
    },
    async removeTree(path) {
      await fs.rm(at(path), { recursive: true, force: true });
    },
    async rename(from, to) {
      await fs.rename(at(from), at(to));
      await syncDirectory(dirname(at(to)));
    },
    chmod: (path, mode) => fs.chmod(at(path), mode),
    async copyFile(from, to) {
      await fs.copyFile(at(from), at(to), constants.COPYFILE_FICLONE);
    },
    readLinkSync(path) {
      try {
        return readlinkSync(at(path));
      } catch (error) {
        if (isNoLink(error)) return undefined;
        throw error;
      }
    },
    realPath: (path) => fs.realpath(at(path)),
    async symbolicLink(target, path) {
      // Windows distinguishes links to directories from links to files; other platforms ignore the kind.
      await fs.symlink(target, at(path), 'dir');
    },
    async readLink(path) {
      try {
        return await fs.readlink(at(path));
      } catch (error) {
        if (isNoLink(error)) return undefined;
        throw error;
      }
    },
    async lock(path) {
      if (await isWrittenInto(at(path))) return { kind: 'locked', lock: lockOfDevice(at(path)) };
      const result = await lockFile(await followLinks(at(path)));
      if (result.kind !== 'locked') return result;
      const { lock } = result;
      const replace: typeof lock.replace = (data, options) =>
        lock.replace(data, options).catch(saying(path));
      return {
        ...result,
        lock: {
          created: lock.created,
          replace,
          isIntact: () => lock.isIntact(),
          release: () => lock.release(),
        },
      };
    },
  };
}

/** Returns true if reading a link failed because the path does not exist or is not a link. */
function isNoLink(error: unknown): boolean {
  return isAbsence(error) || codeOf(error) === 'EINVAL' || codeOf(error) === 'UNKNOWN';
}

async function readWhole(path: string): Promise<Uint8Array> {
  const file = await fs.open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) return await file.readFile(); // also files of /proc, which have no size
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const wanted = Math.min(PIECE_SIZE, size - length);
      const { bytesRead } = await file.read(bytes, length, wanted, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return length === size ? bytes : bytes.subarray(0, length);
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

/** Adds the path to errors of operations on open files, which do not name it. */
function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error;
}

/** With its parents; Node's own never ends where the system denies that a directory is there which is, as in /proc. */
async function makeDirectories(path: string, parentsThere = false): Promise<void> {
  try {
    await fs.mkdir(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !parentsThere && dirname(path) !== path) {
      await makeDirectories(dirname(path));
      await makeDirectories(path, true);
      return;
    }
    // Some systems report other errors for existing paths, such as that of a read-only disk.
    const stats = await statOrNothing(path);
    if (stats?.isDirectory() === true) return;
    if (stats !== undefined) Object.assign(error as Error, { code: 'ENOTDIR' });
    throw error;
  }
}

async function followLinks(path: string): Promise<string> {
  try {
    return await fs.realpath(path);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  // A link to nothing yet, perhaps by other links, or no file at all.
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const next = await fs.readlink(target).catch(() => undefined);
    if (next === undefined) break;
    target = resolve(dirname(target), next);
  }
  return target;
}

/** The maximum number of symbolic links that the system follows. */
const MAX_LINKS = 40;

/** The lock of a device or a pipe: nothing is kept there that another process could read or overwrite. */
function lockOfDevice(path: string): FileLock {
  return {
    created: false,
    replace: (data, options) => writeInto(path, data, options?.beforeCommit),
    isIntact: () => Promise.resolve(true),
    release: () => Promise.resolve(),
  };
}

function describe(stats: Stats): FileStat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    mode: stats.mode & 0o7777,
    inode: stats.ino,
  };
}

function kindOf(stats: Stats | BigIntStats): FileStat['kind'] {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'directory' : 'other';
}

function sortEntries(entries: readonly Dirent[]): DirectoryEntry[] {
  const sorted = entries.map((entry): DirectoryEntry => {
    if (entry.isFile()) return { name: entry.name, kind: 'file' };
    if (entry.isDirectory()) return { name: entry.name, kind: 'directory' };
    return { name: entry.name, kind: entry.isSymbolicLink() ? 'link' : 'other' };
  });
  return sorted.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
