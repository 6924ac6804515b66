import { type Clock, type Storage, userErrorText } from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import { lockMethods } from '../lock-methods.ts';
import type { LockPlace } from '../lock-place.ts';
import { lockText, parseLock } from '../lock-text.ts';
import { OciRefusal, type OciExpected, type OciObjects } from './oci-objects.ts';

/** A state in an object of a bucket, and its lock in one beside it. */
export function ociStorage(objects: OciObjects, path: string, clock: Clock): Storage {
  const state = new StateObject(objects, path);
  return {
    read: () => state.read(),
    write: (data, beforeCommit) => state.write(data, beforeCommit),
    ...lockMethods([lockObject(objects, `${path}.lock`)], path, clock),
  };
}

/** The object that the state is, and which version of it is known here. */
class StateObject {
  readonly #objects: OciObjects;
  readonly #path: string;
  /** the object when last read; `undefined` if not read yet */
  #known: OciExpected | undefined;

  constructor(objects: OciObjects, path: string) {
    this.#objects = objects;
    this.#path = path;
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      const stored = await this.#objects.get(this.#path, true);
      this.#known = stored === undefined ? 'absent' : { etag: stored.etag };
      return stored === undefined || stored.bytes.length === 0 ? undefined : stored.bytes;
    } catch (error) {
      throw new Error(
        `failed to access object '${this.#path}' in bucket '${this.#objects.bucket}': ${userErrorText(error)}`,
        { cause: error },
      );
    }
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const bytes = joined(data);
    if (this.#known === undefined) await this.read();
    await beforeCommit?.();
    try {
      const etag = await this.#objects.put(this.#path, bytes, this.#known ?? 'any', true);
      this.#known = { etag };
    } catch (error) {
      const isCondition = error instanceof OciRefusal && error.isCondition;
      // The object to replace does not exist any more.
      const isGone = error instanceof OciRefusal && error.code === 'ObjectNotFound';
      if (!isCondition && !isGone) {
        throw new Error(`failed to upload object: ${userErrorText(error)}`, { cause: error });
      }
      await this.#ours(bytes, error);
    }
  }

  /**
   * Accepts a conflict if the object equals the written bytes: the response to an earlier attempt may have been lost.
   */
  async #ours(bytes: Uint8Array, cause: unknown): Promise<void> {
    const stored = await this.#objects.get(this.#path, true).catch(() => undefined);
    if (stored === undefined || Buffer.compare(stored.bytes, bytes) !== 0) {
      throw new StateConflict(
        `the state '${this.#path}' in bucket '${this.#objects.bucket}' is not the one that was read here: another client has written or removed it since, and it was left as it is. Look at what is there now, then plan again`,
        { cause },
      );
    }
    this.#known = { etag: stored.etag };
  }
}

/** The lock as an object beside the state. */
function lockObject(objects: OciObjects, path: string): LockPlace {
  return {
    async read() {
      try {
        const stored = await objects.get(path, false);
        if (stored === undefined) return undefined;
        const { info } = parseLock(new TextDecoder().decode(stored.bytes));
        return { info, version: stored.etag };
      } catch (error) {
        throw new Error(`failed to get existing lock file: ${userErrorText(error)}`, {
          cause: error,
        });
      }
    },
    async put(info, instead) {
      const text = new TextEncoder().encode(lockText(info));
      const expected = instead === undefined ? 'absent' : { etag: instead };
      try {
        return { version: await objects.put(path, text, expected, false) };
      } catch (error) {
        const isLost =
          error instanceof OciRefusal && (error.isCondition || error.code === 'ObjectNotFound');
        if (isLost) return { refused: userErrorText(error) };
        throw error;
      }
    },
    async remove(version) {
      try {
        await objects.delete(path, version);
        return true;
      } catch (error) {
        if (error instanceof OciRefusal && error.isCondition) return false;
        throw error;
      }
    },
    unlockProblem: (problem, id, other) =>
      problem === 'gone'
        ? `Failed to retrieve lock information from OCI Object Storage: failed to get existing lock file: there is no object '${path}' in bucket '${objects.bucket}', so the lock is not held`
        : `lock ID '${id}' does not match the existing lock ID '${other}'`,
  };
}
