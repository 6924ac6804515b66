import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  type Stats,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { FileContent, ReplaceOptions } from './file-system.ts';

/**
 * The maximum number of bytes per read or write call: larger calls occupy a thread of the pool for seconds, and calls
 * over the system's limit of 2 GiB fail.
 */
export const PIECE_SIZE: number = 16 * 1024 * 1024;

/**
 * The maximum number of bytes that are read or written without the thread pool, which takes longer than the call of
 * the system.
 */
export const MAX_DIRECT_SIZE: number = 1024 * 1024;

const writeInPool = promisify(write);
const syncInPool = promisify(fsync);

/** Writes all content at the current position, in pieces; those up to `directSize` bytes without the thread pool. */
export async function writeAll(
  file: number,
  data: Uint8Array,
  directSize: number = MAX_DIRECT_SIZE,
): Promise<void> {
  let offset = 0;
  while (offset < data.length) {
    const length = Math.min(PIECE_SIZE, data.length - offset);
    offset +=
      length <= directSize
        ? writeSync(file, data, offset, length)
        : (await writeInPool(file, data, offset, length)).bytesWritten;
  }
}

/** Writes a new file in the directory of `target`, with the rights of the old one, and syncs it if it is durable. */
export async function writeBeside(
  target: string,
  data: FileContent,
  { mode, isPrivate = false, isDurable = true }: Omit<ReplaceOptions, 'beforeCommit'> = {},
): Promise<{ readonly path: string; readonly file: number }> {
  const old = statOrNothing(target);
  const name = `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`;
  const path = join(dirname(target), name);
  // Until it has its final permissions, no other user may open it.
  const file = openNew(path, target, old === undefined ? (mode ?? 0o666) : 0o600);
  try {
    if (typeof data === 'string') await writeAll(file, Buffer.from(data));
    else if (data instanceof Uint8Array) await writeAll(file, data);
    else for await (const piece of data) await writeAll(file, piece);
    if (old !== undefined) {
      fchmodSync(file, old.mode & (isPrivate ? 0o700 : 0o7777));
      keepOwner(file, old);
    }
    if (isDurable) await syncInPool(file);
    return { path, file };
  } catch (error) {
    ignoringErrors(() => closeSync(file));
    ignoringErrors(() => unlinkSync(path));
    throw naming(target, error);
  }
}

/** Creates and opens a temporary file for a target. */
function openNew(path: string, target: string, mode: number): number {
  try {
    return openSync(path, 'wx+', mode);
  } catch (error) {
    throw naming(target, error);
  }
}

/** Calls a function to clean up after an error, which is more important than its own. */
export function ignoringErrors(cleanUp: () => void): void {
  try {
    cleanUp();
  } catch {
    // The first error is reported.
  }
}

/** Returns the error with the target path instead of the temporary one. */
function naming(target: string, error: unknown): unknown {
  if (codeOf(error) !== undefined) Object.assign(error as Error, { path: target });
  return error;
}

/** Returns true if a path is written in place, such as a device or a named pipe; symbolic links are followed. */
export function isWrittenInto(path: string): boolean {
  const stats = statOrNothing(path);
  if (stats === undefined || stats.isDirectory()) return false;
  // Names of this process's own streams: replacing the file would lose the other output in it.
  return !stats.isFile() || /^\/(?:dev\/(?:stdout|stderr|fd\/)|proc\/)/.test(path);
}

const RETRY_MS = 20;

/**
 * Writes content to a device or a named pipe in place. Waits until a pipe has a reader, without occupying a thread,
 * because a blocked thread would keep the process from exiting.
 */
export async function writeInto(
  path: string,
  data: FileContent,
  beforeCommit: (() => Promise<void>) | undefined,
): Promise<void> {
  const pieces: Uint8Array[] = [];
  if (typeof data === 'string') pieces.push(Buffer.from(data));
  else if (data instanceof Uint8Array) pieces.push(data);
  else for await (const piece of data) pieces.push(piece);
  // This cannot be undone, so the content must be complete before.
  await beforeCommit?.();
  const isPipe = (await fs.stat(path)).isFIFO();
  // A socket returns ENXIO too, and never becomes writable.
  const file = await retryOn(isPipe ? 'ENXIO' : undefined, () =>
    fs.open(path, constants.O_WRONLY | constants.O_NONBLOCK),
  );
  try {
    for (const bytes of pieces) {
      for (let offset = 0; offset < bytes.length;) {
        const length = Math.min(PIECE_SIZE, bytes.length - offset);
        offset += (await retryOn('EAGAIN', () => file.write(bytes, offset, length))).bytesWritten;
      }
    }
  } finally {
    await file.close();
  }
}

/** Retries a call as long as it fails with a certain code. */
async function retryOn<T>(code: string | undefined, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (code === undefined || codeOf(error) !== code) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Renames a file of `writeBeside` to its target; on failure removes it. */
export async function putInPlace(
  path: string,
  target: string,
  { beforeCommit, isDurable = true }: ReplaceOptions,
  platform: string,
): Promise<void> {
  try {
    await beforeCommit?.();
    await untilFree(platform, () => renameSync(path, target));
  } catch (error) {
    ignoringErrors(() => unlinkSync(path));
    throw error;
  }
  if (isDurable) await syncDirectory(dirname(target), platform);
}

/** Codes of errors of Windows for files that another program has open. */
const BUSY: ReadonlySet<string | undefined> = new Set(['EACCES', 'EBUSY', 'EPERM']);
/** The longest pause between two attempts, in milliseconds; all of them take about two and a half seconds. */
const MAX_PAUSE_MS = 1280;

/**
 * Performs an operation on the name of a file. Windows rejects it while another program, such as a virus scanner, has
 * the file open, so it is repeated there for a while. The same errors may be permanent.
 */
export async function untilFree<T>(platform: string, operation: () => T | Promise<T>): Promise<T> {
  for (let pause = 10; ; pause *= 2) {
    try {
      return await operation();
    } catch (error) {
      if (platform !== 'win32' || pause > MAX_PAUSE_MS || !BUSY.has(codeOf(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const LEFT_AFTER_MS = 10 * 60 * 1000;

/** Removes old files of `writeBeside` for this target that were never renamed. */
export async function removeLeftovers(target: string): Promise<void> {
  const prefix = `.${basename(target)}.`;
  let names: string[];
  try {
    names = readdirSync(dirname(target));
  } catch (error) {
    if (isAbsence(error)) return;
    throw error;
  }
  for (const name of names) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length)))
      continue;
    const path = join(dirname(target), name);
    const stats = statOrNothing(path);
    if (stats === undefined || Date.now() - stats.mtimeMs < LEFT_AFTER_MS) continue;
    await fs.rm(path, { force: true });
  }
}

function keepOwner(file: number, old: Stats): void {
  const now = fstatSync(file);
  if (now.uid === old.uid && now.gid === old.gid) return;
  // Only root may change the owner; for other users the new owner is the writer.
  ignoringErrors(() => fchownSync(file, old.uid, old.gid));
}

/** Syncs a directory, so that renames in it survive a crash. */
export async function syncDirectory(path: string, platform: string): Promise<void> {
  if (platform === 'win32') return; // directories cannot be opened there
  const directory = openSync(path, 'r');
  try {
    await syncInPool(directory);
  } catch (error) {
    // Some network file systems reject the call and order such changes themselves.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
  } finally {
    closeSync(directory);
  }
}

/** The system's code of an error (`ENOENT`, …), or `undefined` for errors of other kinds. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Returns the metadata of a file; symbolic links are followed. `undefined` if it does not exist. */
export function statOrNothing(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Returns true if an error means that the path does not exist. */
export function isAbsence(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
