import * as fs from 'node:fs/promises';

import type { FileContent, FileLock, FileLockResult, ReplaceOptions } from './file-system.ts';
import { codeOf, putInPlace, writeBeside } from './node-replace.ts';

/** The part of the addon that is used: an exclusive lock of the whole file, `false` when held. */
interface NativeLocks {
  tryLock(fd: number): boolean;
}

/** The addon's own function, which throws where the lock is held; a length of 0 is all of the file. */
interface Binary {
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void;
}

// What a program finds that was waiting for the lock of a file that has been replaced meanwhile, and
// that goes on to read the file it had opened: no statefile version any program accepts.
const REPLACED = '{"version": 0, "replaced": true}\n';

let loading: Promise<NativeLocks | undefined> | undefined;

/**
 * Node has no `fcntl` locks, so they come from an addon that ships its binaries in its package. Where
 * there is none for the platform the answer is `unsupported`; on Linux a lock that another program
 * holds is seen all the same, in the kernel's list.
 *
 * On Linux these are open-file-description locks, which exclude the process locks that Terraform
 * takes. Windows locks forbid even the holder's other handles to write, and so are not used.
 */
async function nativeLocks(): Promise<NativeLocks | undefined> {
  if (process.platform === 'win32') return undefined;
  loading ??= (async () => {
    // Not a literal, so that no bundler tries to take a binary along.
    const name = ['fs', 'native', 'extensions'].join('-');
    // Straight to its binary in a bundle, which has a `require`: the package looks for it for longer than a short run
    // takes. Modules cannot import binaries in older releases of Node.js, and cause a warning in newer ones.
    if (typeof require === 'function') {
      try {
        const path = `${name}/prebuilds/${process.platform}-${process.arch}/${name}.node`;
        const { default: binary }: { default?: Binary } = await import(path);
        if (typeof binary?.tryLock === 'function') return locksOf(binary);
      } catch {
        // Another platform, or another layout: the package knows.
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
export async function lockFile(path: string): Promise<FileLockResult> {
  const native = await nativeLocks();
  for (;;) {
    const created = (await inodeOf(path)) === undefined;
    if (native === undefined) {
      const holder = created ? undefined : await holderInKernel(path);
      return holder === undefined ? { kind: 'unsupported' } : { kind: 'held', pid: holder };
    }
    const file = await fs.open(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
    let locked: boolean;
    try {
      locked = native.tryLock(file.fd);
    } catch (error) {
      await file.close();
      // Network file systems without locks.
      if (['ENOLCK', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error) ?? '')) {
        return { kind: 'unsupported' };
      }
      if (codeOf(error) !== 'EACCES') throw error; // what POSIX also allows for "held"
      locked = false;
    }
    if (!locked) {
      await file.close();
      const pid = await holderInKernel(path);
      return pid === undefined ? { kind: 'held' } : { kind: 'held', pid };
    }
    const { ino } = await file.stat({ bigint: true });
    if ((await inodeOf(path)) === ino) {
      return { kind: 'locked', lock: heldLock(native, path, file, ino, created) };
    }
    // The file was replaced between opening and locking: the lock is on a file that no longer has the name.
    await file.close();
  }
}

function heldLock(
  native: NativeLocks,
  path: string,
  first: fs.FileHandle,
  firstInode: bigint,
  created: boolean,
): FileLock {
  let file: fs.FileHandle | undefined = first;
  // Two while the file is being replaced.
  const inodes = new Set([firstInode]);
  let untouched = created;
  return {
    created,
    async replace(data: FileContent, options?: ReplaceOptions) {
      if (file === undefined) throw new Error(`the lock of ${path} was released`);
      const fresh = await writeBeside(path, data, { mode: 0o600, ...options });
      const { ino } = await fresh.file.stat({ bigint: true });
      try {
        native.tryLock(fresh.file.fd); // nobody else knows this file
      } catch (error) {
        await fresh.file.close();
        await fs.unlink(fresh.path);
        throw error;
      }
      inodes.add(ino);
      try {
        await putInPlace(fresh.path, path, options?.beforeCommit);
      } catch (error) {
        if ((await inodeOf(path)) !== ino) inodes.delete(ino);
        await fresh.file.close();
        throw error;
      }
      inodes.clear();
      inodes.add(ino);
      untouched = false;
      const old = file;
      file = fresh.file;
      await retire(old);
    },
    async isIntact() {
      const inode = file === undefined ? undefined : await inodeOf(path);
      return inode !== undefined && inodes.has(inode);
    },
    async release() {
      const held = file;
      if (held === undefined) return;
      file = undefined;
      if (untouched) {
        // Before unlocking, or another's new state could be removed.
        const stats = await held.stat({ bigint: true });
        if (stats.size === 0n && (await inodeOf(path)) === stats.ino) {
          await fs.unlink(path).catch(() => {});
        }
      }
      await held.close();
    },
  };
}

/**
 * Ends a file that has no name any more. A program that opened it before and waits for its lock would
 * read an outdated state from it and write the next one into nothing, so it gets to read an error.
 */
async function retire(file: fs.FileHandle): Promise<void> {
  try {
    if ((await file.stat()).nlink === 0) {
      await file.truncate(0);
      await file.write(REPLACED, 0);
    }
  } catch {
    // A full disk must not fail a write that has succeeded.
  } finally {
    await file.close();
  }
}

async function inodeOf(path: string): Promise<bigint | undefined> {
  try {
    return (await fs.stat(path, { bigint: true })).ino;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The process that holds a write lock on a file, by Linux's list; -1 pids are of unknown owners. */
async function holderInKernel(path: string): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const [table, stats] = await Promise.all([
      fs.readFile('/proc/locks', 'latin1'),
      fs.stat(path, { bigint: true }),
    ]);
    for (const line of table.split('\n')) {
      // 1: POSIX  ADVISORY  WRITE 1234 08:01:131 0 EOF
      const [, kind, , access, pid, where] = line.trim().split(/\s+/);
      if (access !== 'WRITE' || (kind !== 'POSIX' && kind !== 'OFDLCK')) continue;
      const [major, minor, inode] = (where ?? '').split(':');
      if (inode !== String(stats.ino)) continue;
      if (sameDevice(stats.dev, major ?? '', minor ?? '')) return Number(pid);
    }
  } catch {
    // Not to be had here; the lock file is then all there is.
  }
  return undefined;
}

function sameDevice(device: bigint, major: string, minor: string): boolean {
  // Splits a device number as glibc does.
  const high = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const low = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  return BigInt(`0x${major}`) === high && BigInt(`0x${minor}`) === low;
}
