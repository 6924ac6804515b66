/** An entry of a directory; links are not followed. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** Facts about a file; links are followed. `mode` holds the permission bits only. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** bytes */
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
  readonly inode: number;
}

/** A file open for appending. Calls must not overlap: the caller writes one piece at a time. */
export interface AppendFile {
  write(data: Uint8Array): Promise<void>;
  /** Returns once everything written so far is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file open for reading, at any place of it. */
export interface ReadFile {
  /** bytes */
  readonly size: number;
  /** Reads at most `length` bytes from `offset`; fewer at the end of the file, or if the system returns fewer. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Bytes to write: whole, or in pieces that need never be in memory together. */
export type FileContent = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Uint8Array | string;

/** Creation options; `mode` applies to new files, an existing file keeps its own. */
export interface WriteOptions {
  readonly mode?: number;
}

/** Options of a replacement. */
export interface ReplaceOptions extends WriteOptions {
  /** Removes the permissions of group and others from an existing file, which otherwise keeps its mode. */
  readonly isPrivate?: boolean;
  /**
   * Called when the new content is safely on the disk, just before it takes the name. When it rejects,
   * the old content stays.
   */
  readonly beforeCommit?: () => Promise<void>;
}

/**
 * An exclusive lock of the operating system on a file. It ends with the process, however that ends,
 * and moves along when the file is replaced through it.
 */
export interface FileLock {
  /** True when the file did not exist before it was locked: locking creates it, empty. */
  readonly created: boolean;
  /** Variant of `FileSystem.replaceFile` for the locked path that keeps the lock throughout. */
  replace(data: FileContent, options?: ReplaceOptions): Promise<void>;
  /** Returns whether the locked file is still the one under its name: others may have removed or replaced it. */
  isIntact(): Promise<boolean>;
  /** Releases the lock. A file that locking created is removed if it is still empty. */
  release(): Promise<void>;
}

/**
 * Outcome of `FileSystem.lock`: the lock; another process holds it (`pid` if available); or this platform has no locks
 * that other programs respect.
 */
export type FileLockResult =
  | { readonly kind: 'locked'; readonly lock: FileLock }
  | { readonly kind: 'held'; readonly pid?: number }
  | { readonly kind: 'unsupported' };

/**
 * Files as Terrane uses them. Paths may be relative to the host's working directory. Failures are
 * errors with a `code` (`ENOENT`, `EACCES`, `ENOSPC`, …) as Node's.
 */
export interface FileSystem {
  /** The platform's rules for file names; default: POSIX. */
  readonly nameRules?: 'posix' | 'windows' | 'macos';
  readFile(path: string): Promise<Uint8Array>;
  /** Only for configuration and for functions such as `file`, which are evaluated synchronously. */
  readFileSync(path: string): Uint8Array;
  /** The file as UTF-8; invalid sequences become U+FFFD. */
  readText(path: string): Promise<string>;
  /** Writes in place, for files whose loss does no harm; use `replaceFile` for all others. */
  writeFile(path: string, data: Uint8Array | string, options?: WriteOptions): Promise<void>;
  /**
   * Replaces a file atomically: writes a file beside it, syncs it, renames it over the name and syncs the directory. A
   * reader sees the old content or the new; so does a reader after a crash. A link is followed, so that it stays a
   * link. On failure the old content stays. A device or a named pipe is written into and stays what it is; a pipe is
   * waited for until it has a reader.
   */
  replaceFile(path: string, data: FileContent, options?: ReplaceOptions): Promise<void>;
  /**
   * Removes temporary files that killed replacements of this file left. Only files older than ten minutes are removed:
   * a replacement may be in progress.
   */
  removeLeftovers(path: string): Promise<void>;
  /** Opens for appending; creating it syncs the directory, so that the name survives a crash. */
  openAppend(path: string, options?: WriteOptions): Promise<AppendFile>;
  /** Opens a file that may be too large for memory, for reading in pieces. */
  openRead(path: string): Promise<ReadFile>;
  /** Sorted by name (code units). */
  readDirectory(path: string): Promise<readonly DirectoryEntry[]>;
  readDirectorySync(path: string): readonly DirectoryEntry[];
  /** `undefined` when nothing is there. */
  stat(path: string): Promise<FileStat | undefined>;
  statSync(path: string): FileStat | undefined;
  /** Creates a file that must not exist yet; `false` when it does. */
  createExclusive(path: string, data: string, mode?: number): Promise<boolean>;
  /** With all its parents; no error when it exists. */
  makeDirectory(path: string): Promise<void>;
  /** Removes a file or link, and syncs the directory; no error if it does not exist. */
  remove(path: string): Promise<void>;
  /** Removes a directory recursively; no error if it does not exist. */
  removeTree(path: string): Promise<void>;
  /** Renames and syncs the directory of the new name. */
  rename(from: string, to: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Copies the bytes and the mode of a file, replacing an existing target. */
  copyFile(from: string, to: string): Promise<void>;
  realPath(path: string): Promise<string>;
  /** Makes a symbolic link to `target`, as written; the name must be free. */
  symbolicLink(target: string, path: string): Promise<void>;
  /** Returns the target of a symbolic link as written; `undefined` if it is not a link. */
  readLink(path: string): Promise<string | undefined>;
  readLinkSync(path: string): string | undefined;
  /** Acquires an exclusive lock without waiting; creates the file, empty, if it does not exist. */
  lock(path: string): Promise<FileLockResult>;
}
