import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  readlinkSync,
  statSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import * as fs from 'node:fs/promises';
import type { DirectoryEntry, FileStat, FileSystem } from './file-system.ts';
import { ownPlatform } from './node-environment.ts';
import { addPath, throwWithPath } from './node-file-errors.ts';
import { codeOf, isAbsence, MAX_DIRECT_SIZE, PIECE_SIZE } from './node-replace.ts';

/** Operations that read the content of files. */
export function contentReaders(
  at: (path: string) => string,
): Pick<FileSystem, 'openRead' | 'readFile' | 'readFileSync' | 'readText'> {
  return {
    readFile: (path) => readWhole(at(path)),
    readFileSync(path) {
      try {
        return readFileSync(at(path));
      } catch (error) {
        throw addPath(error, at(path));
      }
    },
    async readText(path) {
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readWhole(at(path)));
    },
    async openRead(path) {
      const file = await fs.open(at(path), 'r');
      try {
        const { size } = await file.stat();
        return {
          size,
          async read(offset, length) {
            const pieceLength = Math.min(PIECE_SIZE, length, Math.max(0, size - offset));
            const bytes = new Uint8Array(pieceLength);
            const { bytesRead } = await file
              .read(bytes, 0, pieceLength, offset)
              .catch(throwWithPath(path));
            return bytes.subarray(0, bytesRead);
          },
          close: () => file.close(),
        };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
  };
}

/** Operations that read directories, links and the properties of files. */
export function entryReaders(
  at: (path: string) => string,
): Pick<
  FileSystem,
  | 'readDirectory'
  | 'readDirectorySync'
  | 'readLink'
  | 'readLinkSync'
  | 'realPath'
  | 'stat'
  | 'statSync'
> {
  return {
    // A system call takes less time than starting and asking the thread pool.
    readDirectory: async (path) => sortEntries(readdirSync(at(path), { withFileTypes: true })),
    readDirectorySync: (path) => sortEntries(readdirSync(at(path), { withFileTypes: true })),
    stat: async (path) => describeEntry(at(path)),
    statSync: (path) => describeEntry(at(path)),
    readLinkSync(path) {
      try {
        return readlinkSync(at(path));
      } catch (error) {
        if (isNoLink(error)) return undefined;
        throw error;
      }
    },
    realPath: (path) => fs.realpath(at(path)),
    async readLink(path) {
      try {
        return await fs.readlink(at(path));
      } catch (error) {
        if (isNoLink(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Returns the properties of a file; undefined if it does not exist. */
function describeEntry(path: string): FileStat | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : describe(stats);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Returns true if reading a link failed because the path does not exist or is not a link. */
function isNoLink(error: unknown): boolean {
  return isAbsence(error) || codeOf(error) === 'EINVAL' || codeOf(error) === 'UNKNOWN';
}

/** The flag of opening without waiting for another program, which Windows does not have. */
const NO_WAITING = ownPlatform === 'win32' ? 0 : constants.O_NONBLOCK;

/**
 * Reads a small regular file at once, and reports that a file does not exist; undefined for all else: opening a pipe may
 * wait for its writer.
 */
function readSmall(path: string): Uint8Array | undefined {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // opening the file reports the error
  }
  if (stats !== undefined && (!stats.isFile() || stats.size > MAX_DIRECT_SIZE)) return undefined;
  // A pipe may have taken the place of the file; without waiting, it opens at once.
  const file = openSync(path, constants.O_RDONLY | NO_WAITING);
  try {
    const opened = fstatSync(file);
    if (!opened.isFile() || opened.size !== stats?.size) return undefined;
    // Files of /proc have no size either.
    const size = opened.size === 0 ? 1 : opened.size;
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const bytesRead = readSync(file, bytes, length, size - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > opened.size) return undefined;
    return length === size ? bytes : bytes.subarray(0, length);
  } catch (error) {
    throw addPath(error, path);
  } finally {
    closeSync(file);
  }
}

async function readWhole(path: string): Promise<Uint8Array> {
  const content = readSmall(path);
  if (content !== undefined) return content;
  const file = await fs.open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) return await file.readFile(); // also files of /proc, which have no size
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const pieceLength = Math.min(PIECE_SIZE, size - length);
      const { bytesRead } = await file.read(bytes, length, pieceLength, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return length === size ? bytes : bytes.subarray(0, length);
  } catch (error) {
    throw addPath(error, path);
  } finally {
    await file.close();
  }
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

function kindOf(stats: Stats): FileStat['kind'] {
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
