import {
  type FileLock,
  type FileStat,
  type Host,
  LockLost,
  type LockInfo,
  type LockOutcome,
  pathsOf,
  type Storage,
  userErrorText,
} from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { localStateFiles } from './local-files.ts';
import { lockText, parseLock, type LockHolder } from '../lock-text.ts';

/** The location of a local state. */
export interface LocalStorageOptions {
  /** the file that is written and locked */
  readonly path: string;
  /** the file to read until the first write (`-state` with `-state-out`) */
  readonly readPath?: string | undefined;
}

// Go's message for a lock held by another process.
const HELD = 'resource temporarily unavailable';
// Between the detection of a stale lock file and its replacement another process may have replaced it.
const ATTEMPTS = 5;

/**
 * Returns the storage of a state in a local file, which is always replaced atomically.
 *
 * Locks: first the operating system's lock on the state file, which Terraform acquires too, so that both programs
 * exclude each other; it ends with the process. The file `.NAME.lock.info` describes the holder. If Node does not
 * support that lock (see `FileSystem.lock`), the lock file itself is the lock: it is created exclusively and names its
 * process, and is replaced if the process is dead. That excludes other Terrane processes, but not Terraform, which
 * ignores such files; Terraform's own lock is then detected on Linux only.
 */
export function localStorage(
  host: Pick<Host, 'files' | 'environment' | 'random'>,
  options: LocalStorageOptions,
): Storage {
  return new LocalStorage(host, options);
}

class LocalStorage implements Storage {
  readonly readsWhenLocking = true;
  readonly isFile = true;
  readonly #host: Pick<Host, 'files' | 'environment' | 'random'>;
  readonly #path: string;
  readonly #lockInfoPath: string;
  #readPath: string;
  #lock: FileLock | undefined;
  #lockId: string | undefined;
  /** The file that is written, as it was read or written last. */
  #seen: SeenFile | undefined;

  constructor(
    host: Pick<Host, 'files' | 'environment' | 'random'>,
    { path, readPath }: LocalStorageOptions,
  ) {
    this.#host = host;
    this.#path = path;
    this.#readPath = readPath ?? path;
    this.#lockInfoPath = localStateFiles(path, host.environment).lockInfo;
  }

  get #directory(): string {
    return pathsOf(this.#host.environment).dirname(this.#path);
  }

  get readsElsewhere(): boolean {
    return this.#readPath !== this.#path;
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#readIfThere(this.#readPath);
  }

  async readTarget(): Promise<Uint8Array | undefined> {
    if (this.readsElsewhere && (await this.#isWrittenInto())) return undefined;
    return await this.#readIfThere(this.#path);
  }

  async #readIfThere(path: string): Promise<Uint8Array | undefined> {
    const { files } = this.#host;
    const stat = await files.stat(path);
    // Recorded before the content is read, so that concurrent changes are detected.
    if (path === this.#path) this.#seen = seenFile(stat);
    return stat === undefined ? undefined : await files.readFile(path);
  }

  /** Returns true if the state is written into a device or a pipe, which holds no state that could be read back. */
  async #isWrittenInto(): Promise<boolean> {
    return (await this.#host.files.stat(this.#path))?.kind === 'other';
  }

  async write(
    data: Iterable<Uint8Array>,
    beforeCommit?: () => Promise<void>,
    { force = false }: { readonly force?: boolean } = {},
  ): Promise<void> {
    const { files } = this.#host;
    const options = {
      mode: 0o600,
      beforeCommit: async () => {
        await beforeCommit?.();
        if (!force) await this.#assertUnchanged();
      },
    };
    if (this.#lock === undefined) {
      await files.makeDirectory(this.#directory);
      await files.replaceFile(this.#path, data, options);
    } else {
      await this.#lock.replace(data, options);
    }
    this.#readPath = this.#path;
    this.#seen = seenFile(await files.stat(this.#path));
  }

  /** Locks exclude only programs that acquire them: with `-lock=false`, another one may have written the state. */
  async #assertUnchanged(): Promise<void> {
    const seen = this.#seen;
    if (seen === undefined) return;
    const now = seenFile(await this.#host.files.stat(this.#path));
    if (isSameFile(seen, now)) return;
    throw new StateConflict(
      `the state file ${this.#path} is not the one that was read here: another program has written or removed it since, and it was left as it is. Look at what is there now, then plan again`,
    );
  }

  async lock(request: LockInfo): Promise<LockOutcome> {
    const { files } = this.#host;
    if (this.#lockId !== undefined) throw new Error(`state "${this.#path}" already locked`);
    const info = { ...request, path: this.#readPath };
    await files.makeDirectory(this.#directory);
    const result = await files.lock(this.#path);
    switch (result.kind) {
      case 'held':
        return await this.#held();
      case 'unsupported':
        return await this.#lockByFile(info);
      case 'locked':
        if ((await this.#livingHolder()) !== undefined) {
          await result.lock.release();
          return await this.#held();
        }
        this.#lock = result.lock;
        this.#lockId = info.id;
        // The lock is held, so an existing description is obsolete. It has no meaning after a crash of the machine, which
        // ends the lock.
        await files.replaceFile(this.#lockInfoPath, lockText(info), {
          mode: 0o600,
          isDurable: false,
        });
        await this.#tidy();
        return { kind: 'locked', id: info.id };
    }
  }

  /** Removes leftovers of interrupted writes. */
  async #tidy(): Promise<void> {
    const { files } = this.#host;
    const { journal, backup } = localStateFiles(this.#path, this.#host.environment);
    for (const path of [this.#path, journal, backup, this.#lockInfoPath]) {
      await files.removeLeftovers(path);
    }
  }

  async #held(): Promise<LockOutcome> {
    let text: string;
    try {
      text = await this.#host.files.readText(this.#lockInfoPath);
    } catch {
      return {
        kind: 'held',
        error: `${HELD}\nopen ${this.#lockInfoPath}: no such file or directory`,
      };
    }
    try {
      return { kind: 'held', error: HELD, info: parseLock(text).info };
    } catch (error) {
      const reason = userErrorText(error);
      return {
        kind: 'held',
        error: `${HELD}\nstate file "${this.#readPath}" locked, but could not unmarshal lock info: ${reason}`,
      };
    }
  }

  /** The process that the lock file names as its holder, if it may still live. */
  async #livingHolder(): Promise<LockHolder | undefined> {
    const holder = await this.#recordedHolder();
    return holder !== undefined && this.#mayLive(holder) ? holder : undefined;
  }

  async #recordedHolder(): Promise<LockHolder | undefined> {
    try {
      return parseLock(await this.#host.files.readText(this.#lockInfoPath)).holder;
    } catch {
      return undefined;
    }
  }

  #mayLive(holder: LockHolder): boolean {
    const { environment } = this.#host;
    // A process of another machine cannot be checked.
    if (holder.host !== environment.hostName) return true;
    return environment.processIdentity(holder.pid) === holder.process;
  }

  async #lockByFile(info: LockInfo): Promise<LockOutcome> {
    const { files, environment } = this.#host;
    const holder: LockHolder = {
      host: environment.hostName,
      pid: environment.pid,
      process: environment.processIdentity(environment.pid) ?? '',
    };
    const text = lockText(info, holder);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await files.createExclusive(this.#lockInfoPath, text, 0o600)) {
        this.#lockId = info.id;
        await this.#tidy();
        return { kind: 'locked', id: info.id };
      }
      if (!(await this.#removeStale())) break;
    }
    return await this.#held();
  }

  /** Removes the lock file of a dead process. Terraform's contain no process, and remain after a kill. */
  async #removeStale(): Promise<boolean> {
    const { files, random, environment } = this.#host;
    let text: string;
    try {
      text = await files.readText(this.#lockInfoPath);
    } catch {
      return true; // removed meanwhile
    }
    let stale: boolean;
    try {
      const { holder } = parseLock(text);
      // On Linux a live Terraform process has already been detected by its lock.
      stale = holder === undefined ? environment.platform === 'linux' : !this.#mayLive(holder);
    } catch {
      stale = false; // perhaps being written just now
    }
    if (!stale) return false;
    // Renamed and checked again, because the file may be a new lock by now.
    const aside = `${this.#lockInfoPath}.${random.uuid()}`;
    try {
      await files.rename(this.#lockInfoPath, aside);
    } catch {
      return true;
    }
    const movedText = await files.readText(aside);
    if (movedText !== text) await files.createExclusive(this.#lockInfoPath, movedText, 0o600);
    await files.remove(aside);
    return movedText === text;
  }

  async #isOwnInfo(id: string): Promise<boolean> {
    const { files } = this.#host;
    if ((await files.stat(this.#lockInfoPath)) === undefined) return false;
    return lockIdIn(await files.readText(this.#lockInfoPath)) === id;
  }

  async confirmLock(): Promise<void> {
    const id = this.#lockId;
    if (id === undefined) throw new LockLost('the lock of the state is not held');
    if (this.#lock !== undefined) {
      if (await this.#lock.isIntact()) return;
      throw new LockLost(
        `the state file ${this.#path}, which was locked, has been removed or replaced by another program`,
      );
    }
    if (!(await this.#isOwnInfo(id))) {
      throw new LockLost(
        `the lock file ${this.#lockInfoPath} has been removed or replaced by another program`,
      );
    }
  }

  async lockHolder(): Promise<LockInfo | undefined> {
    const { files } = this.#host;
    if ((await files.stat(this.#path)) === undefined) return undefined;
    const result = await files.lock(this.#path);
    if (result.kind === 'locked') await result.lock.release();
    if (result.kind !== 'held' && (await this.#livingHolder()) === undefined) return undefined;
    const held = await this.#held();
    return held.kind === 'held' ? held.info : undefined;
  }

  async recordedHolder(): Promise<LockInfo | undefined> {
    // A lock without a description is seconds old at most; what remains of a killed process is recognized by locking.
    if ((await this.#host.files.stat(this.#lockInfoPath)) === undefined) return undefined;
    return await this.lockHolder();
  }

  async unlock(id: string): Promise<void> {
    if (this.#lockId === undefined) throw new Error('LocalState not locked');
    if (id !== this.#lockId) {
      throw new Error(`invalid lock id: "${id}". current id: "${this.#lockId}"`);
    }
    const lock = this.#lock;
    this.#lock = undefined;
    this.#lockId = undefined;
    // If the file was replaced, another process may have locked the new one.
    const isOwn = (await lock?.isIntact()) === true || (await this.#isOwnInfo(id));
    if (isOwn) await this.#host.files.remove(this.#lockInfoPath, { isDurable: false });
    await lock?.release();
  }
}

/** Properties that identify an unchanged file; `empty` also if it is missing. */
type SeenFile = Pick<FileStat, 'inode' | 'size' | 'mtimeMs'> | 'empty' | 'device';

function seenFile(stat: FileStat | undefined): SeenFile {
  if (stat === undefined) return 'empty';
  if (stat.kind !== 'file') return 'device';
  return stat.size === 0 ? 'empty' : stat;
}

function isSameFile(a: SeenFile, b: SeenFile): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.inode === b.inode && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

function lockIdIn(text: string): string | undefined {
  try {
    return parseLock(text).info.id;
  } catch {
    return undefined;
  }
}
