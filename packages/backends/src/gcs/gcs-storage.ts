import { LockLost, type LockInfo, type LockOutcome, type Storage } from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import { lockText, parseLock } from '../lock-text.ts';
import { GcsRefusal, reasonOf, type GcsObjects } from './gcs-objects.ts';

/**
 * Returns a storage with the state in an object of Google Cloud Storage. Each write requires the generation that it
 * replaces. As in Terraform, the lock is another object next to it, created only if it does not exist, and its
 * generation is the lock ID.
 */
export function gcsStorage(
  objects: GcsObjects,
  path: string,
  signal: AbortSignal | undefined,
): Storage {
  return new GcsStorage(objects, path, signal);
}

/** The generation of an object that is not there. */
const NONE = '0';
const CHANGED = 412;
const GONE = 404;
/** The number of attempts at a lock that disappears while it is read. */
const ATTEMPTS = 5;

class GcsStorage implements Storage {
  readonly #objects: GcsObjects;
  readonly #statePath: string;
  readonly #lockPath: string;
  readonly #signal: AbortSignal | undefined;
  /** the generation last read or written */
  #generation: string | undefined;
  /** the generation of the lock held by this storage */
  #lockId: string | undefined;

  constructor(objects: GcsObjects, path: string, signal: AbortSignal | undefined) {
    this.#objects = objects;
    this.#statePath = `${path}.tfstate`;
    this.#lockPath = `${path}.tflock`;
    this.#signal = signal;
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      const object = await this.#objects.read(this.#statePath, true);
      this.#generation = object?.generation ?? NONE;
      return object === undefined || object.content.length === 0 ? undefined : object.content;
    } catch (error) {
      throw this.#failure('Failed to open state file at', this.#statePath, error);
    }
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const content = joined(data);
    if (this.#generation === undefined) await this.read();
    await beforeCommit?.();
    try {
      this.#generation = await this.#objects.write(
        this.#statePath,
        content,
        this.#generation ?? NONE,
        { encrypted: true },
      );
    } catch (error) {
      if (!isRefusal(error, CHANGED)) {
        throw this.#failure('Failed to upload state to', this.#statePath, error);
      }
      // A write that was repeated after a lost response finds its own result.
      const object = await this.#objects.read(this.#statePath, true).catch(() => undefined);
      if (object !== undefined && Buffer.compare(object.content, content) === 0) {
        this.#generation = object.generation;
        return;
      }
      throw new StateConflict(
        `Somebody else has written the state ${this.#objects.url(this.#statePath)} since it was read here.`,
        { cause: error },
      );
    }
  }

  async lock(request: LockInfo): Promise<LockOutcome> {
    const path = this.#objects.url(this.#lockPath);
    const text = new TextEncoder().encode(lockText({ ...request, path }));
    for (let attempt = 1; ; attempt++) {
      try {
        this.#lockId = await this.#objects.write(this.#lockPath, text, NONE, { encrypted: false });
        return { kind: 'locked', id: this.#lockId };
      } catch (error) {
        if (!isRefusal(error, CHANGED)) throw this.#failure('writing', this.#lockPath, error);
        const held = await this.#held(`writing ${JSON.stringify(path)} failed: ${error.message}`);
        // The lock of an earlier attempt, whose response was lost.
        if (held.kind === 'held' && held.infoId === request.id) {
          this.#lockId = held.info.id;
          return { kind: 'locked', id: held.info.id };
        }
        // The lock was released in the meantime.
        if (held.kind === 'gone' && attempt < ATTEMPTS) continue;
        return { ...held, kind: 'held' };
      }
    }
  }

  async #held(error: string): Promise<
    | {
        readonly kind: 'held';
        readonly error: string;
        readonly info: LockInfo;
        readonly infoId: string;
      }
    | { readonly kind: 'held' | 'gone'; readonly error: string; readonly infoId?: undefined }
  > {
    try {
      const lock = await this.#lockFound();
      if (lock !== undefined) return { kind: 'held', error, ...lock };
      return { kind: 'gone', error: `${error}\nstorage: object doesn't exist` };
    } catch (problem) {
      return { kind: 'held', error: `${error}\n${reasonOf(problem, this.#signal)}` };
    }
  }

  async #lockFound(): Promise<{ readonly info: LockInfo; readonly infoId: string } | undefined> {
    const object = await this.#objects.read(this.#lockPath, false);
    if (object === undefined) return undefined;
    const { info } = parseLock(new TextDecoder().decode(object.content));
    return { info: { ...info, id: object.generation }, infoId: info.id };
  }

  async lockHolder(): Promise<LockInfo | undefined> {
    try {
      return (await this.#lockFound())?.info;
    } catch (error) {
      throw this.#failure('Failed to read the lock at', this.#lockPath, error);
    }
  }

  async confirmLock(): Promise<void> {
    const holder = await this.lockHolder();
    if (holder === undefined || holder.id !== this.#lockId) {
      throw new LockLost(
        `the lock ${this.#objects.url(this.#lockPath)} has been removed${holder === undefined ? '' : `, and is held by ${holder.who} (${holder.operation}) by now`}`,
      );
    }
  }

  async unlock(id: string): Promise<void> {
    if (!/^-?\d+$/.test(id)) throw new Error(`Lock ID should be numerical value, got '${id}'`);
    const path = this.#objects.url(this.#lockPath);
    const mismatch = (cause?: unknown): Error =>
      new Error(`lock id ${JSON.stringify(id)} does not match the existing lock ${path}`, {
        cause,
      });
    // For another client's lock the error can explain the wrong ID.
    if (id !== this.#lockId) {
      const holder = await this.lockHolder();
      if (holder !== undefined && holder.id !== id) throw mismatch();
    }
    try {
      await this.#objects.delete(this.#lockPath, id);
    } catch (error) {
      if (isRefusal(error, GONE)) {
        throw new Error(`The state is not locked: there is no ${path}.`, { cause: error });
      }
      if (isRefusal(error, CHANGED)) throw mismatch(error);
      throw this.#failure('Failed to delete the lock', this.#lockPath, error);
    }
    if (id === this.#lockId) this.#lockId = undefined;
  }

  #failure(doing: string, path: string, error: unknown): Error {
    const reason = reasonOf(error, this.#signal);
    return new Error(`${doing} ${this.#objects.url(path)}: ${reason}`, { cause: error });
  }
}

function isRefusal(error: unknown, status: number): error is GcsRefusal {
  return error instanceof GcsRefusal && error.status === status;
}
