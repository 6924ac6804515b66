import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

import type { FileContent, FileLock, FileLockResult, ReplaceOptions } from './file-system.ts';
import { codeOf, ignoringErrors, putInPlace, writeBeside } from './node-replace.ts';

/** The subset of the addon in use. `tryLock` locks the whole file exclusively; false if the lock is held. */
interface NativeLocks {
  tryLock(fd: number): boolean;
}

/** The function of the addon, which throws if the lock is held; a length of 0 means the whole file. */
interface Binary {
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void;
}

// Content of a replaced file, for a program that opened it before the replacement and acquires its lock afterwards. No
// program accepts this version of the state format.
const REPLACED = '{"version": 0, "replaced": true}\n';

let loading: Promise<NativeLocks | undefined> | undefined;

/**
 * Node has no `fcntl` locks, so they come from an addon that ships its binaries in its package. If there is none for
 * the platform, the result is `unsupported`; on Linux, locks of other programs are still detected in /proc/locks.
 *
 * On Linux these are open-file-description locks, which exclude the process locks of Terraform. Windows locks block
 * writes through other handles of the holder, and are not used.
 */
async function nativeLocks(platform: string): Promise<NativeLocks | undefined> {
  if (platform === 'win32') return undefined;
  loading ??= (async () => {
    // Not a literal, so that bundlers do not try to include a binary.
    const name = ['fs', 'native', 'extensions'].join('-');
    // A bundle has `require` and loads the binary directly, as the package's own lookup is slow. Modules cannot import
    // binaries in older releases of Node.js, and cause a warning in newer ones.
    if (typeof require === 'function') {
      try {
        const path = `${name}/prebuilds/${platform}-${process.arch}/${name}.node`;
        const { default: binary }: { default?: Binary } = await import(path);
        if (typeof binary?.tryLock === 'function') return locksOf(binary);
      } catch {
        // Another platform or layout: use the package's lookup.
      }
    }
    try {
      const loaded: { default?: NativeLocks } = await import(name);
      return typeof loaded.default?.tryLock === 'function' ? loaded.default : undefined;
    } catch {
      return undefined;
    }
  })();
  return await loading;
}

function locksOf(binary: Binary): NativeLocks {
  return {
    tryLock(fd) {
      try {
        binary.tryLock(fd, 0, 0, true);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EAGAIN') return false;
        throw error;
      }
    },
  };
}

/** Acquires the exclusive lock of a file, creating it empty; see `FileSystem.lock`. No links. */
export async function lockFile(path: string, platform: string): Promise<FileLockResult> {
  const native = await nativeLocks(platform);
  for (;;) {
    const created = inodeOf(path) === undefined;
    if (native === undefined) {
      const holder = created ? undefined : holderInKernel(path, platform);
      return holder === undefined ? { kind: 'unsupported' } : { kind: 'held', pid: holder };
    }
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    let locked: boolean;
    try {
      locked = native.tryLock(file);
    } catch (error) {
      closeSync(file);
      // Network file systems without locks.
      if (['ENOLCK', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error) ?? '')) {
        return { kind: 'unsupported' };
      }
      if (codeOf(error) !== 'EACCES') throw error; // POSIX also allows this error for a held lock
      locked = false;
    }
    if (!locked) {
      closeSync(file);
      const pid = holderInKernel(path, platform);
      return pid === undefined ? { kind: 'held' } : { kind: 'held', pid };
    }
    const { ino } = fstatSync(file, { bigint: true });
    if (inodeOf(path) === ino) {
      return { kind: 'locked', lock: heldLock(native, path, file, ino, created, platform) };
    }
    // The file was replaced between opening and locking: the lock is on a file that no longer has the name.
    closeSync(file);
  }
}

function heldLock(
  native: NativeLocks,
  path: string,
  first: number,
  firstInode: bigint,
  created: boolean,
  platform: string,
): FileLock {
  let file: number | undefined = first;
  // Holds two inodes while the file is being replaced.
  const inodes = new Set([firstInode]);
  let untouched = created;
  return {
    created,
    async replace(data: FileContent, options?: ReplaceOptions) {
      if (file === undefined) throw new Error(`the lock of ${path} was released`);
      const fresh = await writeBeside(path, data, { mode: 0o600, ...options });
      const { ino } = fstatSync(fresh.file, { bigint: true });
      try {
        native.tryLock(fresh.file); // The file is not visible to other processes yet.
      } catch (error) {
        closeSync(fresh.file);
        unlinkSync(fresh.path);
        throw error;
      }
      inodes.add(ino);
      try {
        await putInPlace(fresh.path, path, options ?? {}, platform);
      } catch (error) {
        if (inodeOf(path) !== ino) inodes.delete(ino);
        closeSync(fresh.file);
        throw error;
      }
      inodes.clear();
      inodes.add(ino);
      untouched = false;
      const old = file;
      file = fresh.file;
      retire(old);
    },
    async isIntact() {
      const inode = file === undefined ? undefined : inodeOf(path);
      return inode !== undefined && inodes.has(inode);
    },
    async release() {
      const heldFile = file;
      if (heldFile === undefined) return;
      file = undefined;
      if (untouched) {
        // Remove it before unlocking; afterwards it could be the new state of another program.
        const stats = fstatSync(heldFile, { bigint: true });
        if (stats.size === 0n && inodeOf(path) === stats.ino) {
          ignoringErrors(() => unlinkSync(path));
        }
      }
      closeSync(heldFile);
    },
  };
}

/**
 * Invalidates and closes an unlinked file. A program that opened it before and waits for its lock would otherwise
 * read an outdated state and lose the state that it writes.
 */
function retire(file: number): void {
  try {
    if (fstatSync(file).nlink === 0) {
      ftruncateSync(file, 0);
      writeSync(file, REPLACED, 0);
    }
  } catch {
    // A full disk must not fail a write that has succeeded.
  } finally {
    closeSync(file);
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Returns the process that holds a write lock on a file, from /proc/locks; a pid of -1 means an unknown owner. */
function holderInKernel(path: string, platform: string): number | undefined {
  if (platform !== 'linux') return undefined;
  try {
    const table = readFileSync('/proc/locks', 'latin1');
    const stats = statSync(path, { bigint: true });
    for (const line of table.split('\n')) {
      // 1: POSIX  ADVISORY  WRITE 1234 08:01:131 0 EOF
      const [, kind, , access, pid, device] = line.trim().split(/\s+/);
      if (access !== 'WRITE' || (kind !== 'POSIX' && kind !== 'OFDLCK')) continue;
      const [major, minor, inode] = (device ?? '').split(':');
      if (inode !== String(stats.ino)) continue;
      if (sameDevice(stats.dev, major ?? '', minor ?? '')) return Number(pid);
    }
  } catch {
    // Locks are not supported here; the lock file is the only protection.
  }
  return undefined;
}

function sameDevice(device: bigint, major: string, minor: string): boolean {
  // Splits a device number as glibc does.
  const high = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const low = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  return BigInt(`0x${major}`) === high && BigInt(`0x${minor}`) === low;
}
