import { createHash } from 'node:crypto';
import { type Clock, type Storage, userErrorText } from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import { lockMethods } from '../lock-methods.ts';
import type { OssLockTable } from './oss-lock-table.ts';
import { ObjectRefusal } from '../object-request.ts';
import { type OssObjects } from './oss-objects.ts';

/** Dependencies of the storage of one state. */
export interface OssStorageOptions {
  readonly objects: OssObjects;
  readonly key: string;
  /** the path of the state, for locks */
  readonly path: string;
  readonly clock: Clock;
  /** `undefined`: locks are not supported */
  readonly table: OssLockTable | undefined;
}

/** The time to wait for a state that matches its checksum, and the polling interval. */
const CONSISTENCY_MS = 10_000;
const POLL_MS = 2_000;

/** The state of one workspace in a bucket, with its lock and its checksum in a table if there is one. */
export function ossStorage(options: OssStorageOptions): Storage {
  const { table, path, clock } = options;
  const state = new StateObject(options);
  return {
    read: () => state.read(),
    write: (data, beforeCommit) => state.write(data, beforeCommit),
    ...(table === undefined ? {} : lockMethods([table.lock], path, clock)),
  };
}

/** The object that the state is, and which content of it is known here. */
class StateObject {
  readonly #options: OssStorageOptions;
  /** the object when last read: `undefined` if not read yet, `absent` if missing, otherwise its ETag */
  #known: { readonly etag: string } | 'absent' | undefined;

  constructor(options: OssStorageOptions) {
    this.#options = options;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { clock, table } = this.#options;
    const deadline = clock.monotonicMs() + CONSISTENCY_MS;
    for (;;) {
      const bytes = await this.#get();
      // As in Terraform, an unreachable table does not prevent reading.
      const expected = await table?.digest().catch(() => undefined);
      const checksum = bytes === undefined ? '' : md5(bytes);
      if (expected === undefined || expected === checksum) return bytes;
      if (clock.monotonicMs() >= deadline) throw new Error(badChecksum(checksum));
      await clock.sleep(POLL_MS);
    }
  }

  async #get(): Promise<Uint8Array | undefined> {
    const { objects, key } = this.#options;
    try {
      const stored = await objects.get(key);
      this.#known = stored === undefined ? 'absent' : { etag: stored.etag ?? '' };
      return stored === undefined || stored.bytes.length === 0 ? undefined : stored.bytes;
    } catch (error) {
      throw new Error(`error getting object: ${userErrorText(error)}`, { cause: error });
    }
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const { key, table } = this.#options;
    const bytes = joined(data);
    if (this.#known === undefined) await this.#get();
    await beforeCommit?.();
    try {
      await this.#put(bytes);
    } catch (error) {
      if (error instanceof StateConflict) throw error;
      throw new Error(`failed to upload state ${key}: ${userErrorText(error)}`, { cause: error });
    }
    try {
      await table?.setDigest(md5(bytes));
    } catch (error) {
      throw new Error(`failed to store state MD5: ${userErrorText(error)}`, { cause: error });
    }
  }

  async #put(bytes: Uint8Array): Promise<void> {
    const { objects, key } = this.#options;
    const known = this.#known;
    if (known === 'absent') {
      // In versioned buckets, the service overwrites objects regardless of conditions.
      if ((await objects.etag(key)) !== undefined) return await this.#ours(bytes);
      try {
        this.#known = { etag: (await objects.put(key, bytes, true)) ?? '' };
        return;
      } catch (error) {
        if (!(error instanceof ObjectRefusal) || error.code !== 'FileAlreadyExists') throw error;
        return await this.#ours(bytes);
      }
    }
    // The service has no condition on the replaced object, which is therefore read just before.
    if (known !== undefined && known.etag !== '') {
      const now = await objects.etag(key);
      if (now !== known.etag) return await this.#ours(bytes);
    }
    this.#known = { etag: (await objects.put(key, bytes, false)) ?? '' };
  }

  /**
   * Accepts a conflict if the object equals the written bytes: the response to an earlier attempt may have been lost.
   */
  async #ours(bytes: Uint8Array): Promise<void> {
    const { objects, key, path } = this.#options;
    const stored = await objects.get(key).catch(() => undefined);
    if (stored === undefined || Buffer.compare(stored.bytes, bytes) !== 0) {
      throw new StateConflict(
        `the state ${path} in OSS is not the one that was read here: another client has written or removed it since, and it was left as it is. Look at what is there now, then plan again`,
      );
    }
    this.#known = { etag: stored.etag ?? '' };
  }
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

function badChecksum(checksum: string): string {
  return `state data in OSS does not have the expected content.

This may be caused by unusually long delays in OSS processing a previous state
update.  Please wait for a minute or two and try again. If this problem
persists, and neither OSS nor TableStore are experiencing an outage, you may need
to manually verify the remote state and update the Digest value stored in the
TableStore table to the following value: ${checksum}`;
}
