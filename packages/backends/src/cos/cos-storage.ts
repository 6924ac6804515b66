import {
  type Clock,
  LockLost,
  type LockInfo,
  type LockOutcome,
  type Storage,
  userErrorText,
} from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import { lockText, parseLock } from '../lock-text.ts';
import { ObjectRefusal } from '../object-request.ts';
import { md5Of, type CosObjects } from './cos-objects.ts';
import type { LockTag } from './lock-tag.ts';

/** Dependencies of the storage of one state. */
export interface CosStorageOptions {
  readonly objects: CosObjects;
  readonly key: string;
  readonly lockKey: string;
  readonly tag: LockTag;
  readonly clock: Clock;
}

/** Attempts of a force-unlock at creating the tag. */
const TAG_ATTEMPTS = 5;
const TAG_WAIT_MS = 1_000;

/**
 * Returns a storage with the state in an object and the lock in another object next to it. As in Terraform, the lock is
 * created while a tag of the account exists, and only if there is no lock. The lock ID is the MD5 of the stored lock.
 */
export function cosStorage(options: CosStorageOptions): Storage {
  return new CosStorage(options);
}

class CosStorage implements Storage {
  readonly #options: CosStorageOptions;
  /** the object when last read: `undefined` if not read yet, `absent` if missing, otherwise its MD5 */
  #known: { readonly md5: string } | 'absent' | undefined;
  /** the ID of the lock held by this storage */
  #lockId: string | undefined;

  constructor(options: CosStorageOptions) {
    this.#options = options;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { objects, key } = this.#options;
    try {
      const stored = await objects.get(key);
      this.#known = stored === undefined ? 'absent' : { md5: stored.md5 };
      return stored === undefined || stored.bytes.length === 0 ? undefined : stored.bytes;
    } catch (error) {
      throw failure('open file at', key, error);
    }
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const { objects, key, lockKey } = this.#options;
    const bytes = joined(data);
    if (this.#known === undefined) await this.read();
    await beforeCommit?.();
    try {
      if (this.#lockId !== undefined && (await objects.md5(lockKey)) !== this.#lockId) {
        throw new StateConflict(
          `the lock ${lockKey} is no longer the one that was taken here: another client has broken it, and the state ${key} was left as it is`,
        );
      }
      await this.#put(bytes);
    } catch (error) {
      if (error instanceof StateConflict) throw error;
      throw failure('save file to', key, error);
    }
  }

  async #put(bytes: Uint8Array): Promise<void> {
    const { objects, key } = this.#options;
    const known = this.#known;
    if (known === 'absent') {
      // In versioned buckets, the service overwrites objects regardless of conditions.
      if ((await objects.md5(key)) !== undefined) return await this.#ours(bytes);
      try {
        this.#known = { md5: await objects.put(key, bytes, true) };
        return;
      } catch (error) {
        if (!isThere(error)) throw error;
        return await this.#ours(bytes);
      }
    }
    // The service has no condition on the replaced object, which is therefore read just before.
    if (known !== undefined && (await objects.md5(key)) !== known.md5) {
      return await this.#ours(bytes);
    }
    this.#known = { md5: await objects.put(key, bytes, false) };
  }

  /**
   * Accepts a conflict if the object equals the written bytes: the response to an earlier attempt may have been lost.
   */
  async #ours(bytes: Uint8Array): Promise<void> {
    const { objects, key } = this.#options;
    const md5 = md5Of(bytes);
    if ((await objects.md5(key)) !== md5) {
      throw new StateConflict(
        `the state ${key} in COS is not the one that was read here: another client has written or removed it since, and it was left as it is. Look at what is there now, then plan again`,
      );
    }
    this.#known = { md5 };
  }

  async lock(request: LockInfo): Promise<LockOutcome> {
    const { objects, lockKey, tag } = this.#options;
    const creation = await tag.take();
    if (!creation.taken) {
      const held = await this.#held(creation.error.message);
      return held.info !== undefined
        ? held
        : {
            ...held,
            error: `${held.error}\n${tagAdvice(tag, 'locking')}`,
          };
    }
    try {
      const text = new TextEncoder().encode(lockText({ ...request, path: lockKey }));
      const id = md5Of(text);
      const storedDigest = await objects.md5(lockKey);
      if (storedDigest !== undefined) return await this.#held(`lock file ${lockKey} exists`);
      try {
        await objects.put(lockKey, text, true);
      } catch (error) {
        if (!isThere(error)) throw failure('save file to', lockKey, error);
        // An earlier attempt succeeded, but its response was lost.
        if ((await objects.md5(lockKey)) !== id) {
          return await this.#held(`lock file ${lockKey} exists`);
        }
      }
      this.#lockId = id;
      return { kind: 'locked', id };
    } finally {
      // As in Terraform, a tag that cannot be deleted is not an error; the next client reports it.
      await tag.release().catch(() => undefined);
    }
  }

  async #held(error: string): Promise<Extract<LockOutcome, { readonly kind: 'held' }>> {
    try {
      const info = await this.lockHolder();
      if (info !== undefined) return { kind: 'held', error, info };
      return { kind: 'held', error: `${error}\nlock file ${this.#options.lockKey} not exists` };
    } catch (problem) {
      return { kind: 'held', error: `${error}\n${userErrorText(problem)}` };
    }
  }

  async lockHolder(): Promise<LockInfo | undefined> {
    const { objects, lockKey } = this.#options;
    try {
      const stored = await objects.get(lockKey);
      if (stored === undefined) return undefined;
      return { ...parseLock(new TextDecoder().decode(stored.bytes)).info, id: stored.md5 };
    } catch (error) {
      throw failure('open file at', lockKey, error);
    }
  }

  async confirmLock(): Promise<void> {
    const { objects, lockKey } = this.#options;
    const storedDigest = await objects.md5(lockKey).catch((error: unknown) => {
      throw failure('open file at', lockKey, error);
    });
    if (storedDigest === undefined || storedDigest !== this.#lockId)
      throw new LockLost(`the lock ${lockKey} is no longer the one that was taken here`);
  }

  async unlock(id: string): Promise<void> {
    if (id !== this.#lockId) {
      await this.#break(id);
      return;
    }
    await this.#remove(id);
    this.#lockId = undefined;
    await this.#options.tag.release();
  }

  /**
   * Removes the lock of another process. The service deletes without conditions, so that the tag, which is required to
   * acquire the lock, protects a lock that is acquired after another force-unlock.
   */
  async #break(id: string): Promise<void> {
    const { tag } = this.#options;
    if (id !== tag.value) {
      await this.#takeTag();
      try {
        await this.#remove(id);
      } finally {
        await tag.release();
      }
      return;
    }
    // The process that created the tag has died.
    await tag.release();
  }

  async #takeTag(): Promise<void> {
    const { tag, clock } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const outcome = await tag.take();
      if (outcome.taken) return;
      if (attempt === TAG_ATTEMPTS) {
        throw new Error(`${outcome.error.message}\n${tagAdvice(tag, 'locking or unlocking')}`, {
          cause: outcome.error,
        });
      }
      await clock.sleep(TAG_WAIT_MS);
    }
  }

  async #remove(id: string): Promise<void> {
    const { objects, lockKey } = this.#options;
    const holder = await this.lockHolder();
    if (holder === undefined) throw new Error(`lock file ${lockKey} not exists`);
    if (holder.id !== id) throw new Error(`lock id mismatch, ${holder.id} != ${id}`);
    await objects.delete(lockKey).catch((error: unknown) => {
      throw failure('delete file', lockKey, error);
    });
  }
}

function tagAdvice(tag: LockTag, doing: string): string {
  return `Another process is ${doing} the state, or has died while doing so: then force-unlock ${tag.value} removes the tag`;
}

function isThere(error: unknown): boolean {
  return error instanceof ObjectRefusal && (error.status === 409 || error.status === 412);
}

function failure(doing: string, key: string, error: unknown): Error {
  const reason = userErrorText(error);
  const full = `failed to ${doing} ${key}: ${reason}`;
  return new Error(reason.startsWith('failed to ') ? reason : full, { cause: error });
}
