/** An entry of a directory; symbolic links are not followed. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** Metadata of a file; symbolic links are followed. `mode` contains only the permission bits. */
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
  /** Resolves when everything written so far is on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file open for reading at any offset. */
export interface ReadFile {
  /** bytes */
  readonly size: number;
  /** Reads at most `length` bytes from `offset`; fewer at the end of the file, or if the system returns fewer. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Content to write: complete, or in chunks that need not be in memory together. */
export type FileContent = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Uint8Array | string;

/** Creation options; `mode` applies to new files, an existing file keeps its mode. */
export interface WriteOptions {
  readonly mode?: number;
}

/** Options of a change that need not survive a crash of the machine. */
export interface DurabilityOptions {
  /** True, by default, if the change must survive a crash of the machine; otherwise nothing is synced. */
  readonly isDurable?: boolean;
}

/** Options of a replacement. A file that is not durable may be empty after a crash of the machine. */
export interface ReplaceOptions extends WriteOptions, DurabilityOptions {
  /** Removes the permissions of group and others from an existing file, which otherwise keeps its mode. */
  readonly isPrivate?: boolean;
  /** Called when the new content is on disk, before the file is renamed. If it rejects, the old content is retained. */
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
  /**
   * Returns true if the locked file is still the file of this name: another process may have removed or replaced it.
   */
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
  /** Writes a file in place, without protection against a crash; use `replaceFile` for files that must not be lost. */
  writeFile(path: string, data: Uint8Array | string, options?: WriteOptions): Promise<void>;
  /**
   * Replaces a file atomically: writes a temporary file in its directory, syncs it, renames it and syncs the directory.
   * A reader sees the old or the new content, also after a crash. The target of a symbolic link is replaced, not the
   * link. On failure the old content is retained. A device or named pipe is written to directly; for a pipe, the call
   * waits for a reader.
   */
  replaceFile(path: string, data: FileContent, options?: ReplaceOptions): Promise<void>;
  /**
   * Removes temporary files of interrupted replacements of this file. Only files older than ten minutes are removed,
   * because a replacement may be in progress.
   */
  removeLeftovers(path: string): Promise<void>;
  /** Opens for appending; creating it syncs the directory, so that the name survives a crash. */
  openAppend(path: string, options?: WriteOptions): Promise<AppendFile>;
  /** Opens a file that may be too large for memory, for reading in pieces. */
  openRead(path: string): Promise<ReadFile>;
  /** Sorted by name (code units). */
  readDirectory(path: string): Promise<readonly DirectoryEntry[]>;
  readDirectorySync(path: string): readonly DirectoryEntry[];
  /** Returns undefined if the file does not exist. */
  stat(path: string): Promise<FileStat | undefined>;
  statSync(path: string): FileStat | undefined;
  /** Creates a file that must not exist yet; `false` when it does. */
  createExclusive(path: string, data: string, mode?: number): Promise<boolean>;
  /** Creates a directory and its parents; an existing directory is not an error. */
  makeDirectory(path: string): Promise<void>;
  /** Removes a file or link, and syncs the directory if it is durable; no error if it does not exist. */
  remove(path: string, options?: DurabilityOptions): Promise<void>;
  /** Removes a directory recursively; no error if it does not exist. */
  removeTree(path: string): Promise<void>;
  /** Renames and syncs the directory of the new name. */
  rename(from: string, to: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Copies the bytes and the mode of a file, replacing an existing target. */
  copyFile(from: string, to: string): Promise<void>;
  realPath(path: string): Promise<string>;
  /** Creates a symbolic link to the unresolved `target`; the path must not exist. */
  symbolicLink(target: string, path: string): Promise<void>;
  /** Returns the target of a symbolic link as written; `undefined` if it is not a link. */
  readLink(path: string): Promise<string | undefined>;
  readLinkSync(path: string): string | undefined;
  /** Acquires an exclusive lock without waiting; creates the file, empty, if it does not exist. */
  lock(path: string): Promise<FileLockResult>;
}
