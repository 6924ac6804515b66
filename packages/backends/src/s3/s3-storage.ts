import { createHash } from 'node:crypto';
import { type Clock, type Storage, userErrorText } from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import { lockMethods } from '../lock-methods.ts';
import type { LockPlace } from '../lock-place.ts';
import type { LockTable } from './lock-table.ts';
import type { Expected, S3Objects } from './s3-objects.ts';

/** Dependencies of the storage of one state. */
export interface S3StorageOptions {
  readonly objects: S3Objects;
  readonly key: string;
  readonly clock: Clock;
  /** the lock beside the state */
  readonly lockFile: LockPlace | undefined;
  readonly table: LockTable | undefined;
}

/** The time to wait for a state that matches its checksum, and the polling interval. */
const CONSISTENCY_MS = 10_000;
const POLL_MS = 2_000;

/** The state of one workspace in a bucket. */
export function s3Storage(options: S3StorageOptions): Storage {
  const state = new StateObject(options);
  const places = [options.lockFile, options.table?.lock].filter((place) => place !== undefined);
  return {
    read: () => state.read(),
    write: (data, beforeCommit) => state.write(data, beforeCommit),
    ...(places.length === 0
      ? {}
      : lockMethods(places, `${options.objects.bucket}/${options.key}`, options.clock)),
  };
}

/** The object that the state is, and which version of it is known here. */
class StateObject {
  readonly #options: S3StorageOptions;
  #known: Expected;

  constructor(options: S3StorageOptions) {
    this.#options = options;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { clock, objects, key, table } = this.#options;
    const deadline = clock.monotonicMs() + CONSISTENCY_MS;
    for (;;) {
      const bytes = await this.#get();
      // As in Terraform, an unreachable table does not prevent reading.
      const expected = await table?.digest().catch(() => undefined);
      const checksum = bytes === undefined ? '' : md5(bytes);
      if (expected === undefined || expected === checksum) return bytes;
      if (clock.monotonicMs() >= deadline) {
        throw new Error(badChecksum(objects.bucket, key, checksum, expected));
      }
      await clock.sleep(POLL_MS);
    }
  }

  async #get(): Promise<Uint8Array | undefined> {
    const { objects, key } = this.#options;
    try {
      const stored = await objects.get(key);
      this.#known = expectedOf(stored);
      return stored === undefined || stored.bytes.length === 0 ? undefined : stored.bytes;
    } catch (error) {
      const reason =
        objects.missingBucket('GetObject', error) ??
        `Unable to access object ${JSON.stringify(key)} in S3 bucket ${JSON.stringify(objects.bucket)}: ${objects.failure('GetObject', error)}`;
      throw new Error(reason, { cause: error });
    }
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const { table } = this.#options;
    const bytes = joined(data);
    await beforeCommit?.();
    await this.#put(bytes);
    try {
      await table?.setDigest(md5(bytes));
    } catch (error) {
      const reason = userErrorText(error);
      throw new Error(`failed to store state MD5: ${reason}`, { cause: error });
    }
  }

  async #put(bytes: Uint8Array): Promise<void> {
    const { objects, key } = this.#options;
    try {
      let outcome = await objects.put(key, bytes, this.#known, 'state');
      if (outcome.kind === 'unsupported') {
        // Verified directly before the write, the best protection on a server without conditional writes.
        const now = expectedOf(await objects.get(key));
        outcome = isSame(now, this.#known)
          ? await objects.put(key, bytes, undefined, 'state')
          : { kind: 'refused', error: outcome.error };
      }
      if (outcome.kind === 'written') {
        this.#known = outcome.etag === undefined ? undefined : { etag: outcome.etag };
        return;
      }
    } catch (error) {
      const reason =
        objects.missingBucket('PutObject', error) ?? objects.failure('PutObject', error);
      throw new Error(`failed to upload state: ${reason}`, { cause: error });
    }
    // The response to an earlier attempt may have been lost.
    const stored = await objects.get(key).catch(() => undefined);
    if (stored === undefined || Buffer.compare(stored.bytes, bytes) !== 0) {
      throw new StateConflict(conflict(objects.bucket, key));
    }
    this.#known = expectedOf(stored);
  }
}

function expectedOf(stored: { readonly etag: string | undefined } | undefined): Expected {
  if (stored === undefined) return 'absent';
  return stored.etag === undefined ? undefined : { etag: stored.etag };
}

function isSame(a: Expected, b: Expected): boolean {
  return typeof a === 'object' && typeof b === 'object' ? a.etag === b.etag : a === b;
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

function conflict(bucket: string, key: string): string {
  return `the state ${JSON.stringify(key)} in S3 bucket ${JSON.stringify(bucket)} is not the one that was read here: another client has written or removed it since, and it was left as it is. Look at what is there now, then plan again`;
}

function badChecksum(bucket: string, key: string, checksum: string, expected: string): string {
  const advice =
    checksum === ''
      ? `If this problem persists, and neither S3 nor DynamoDB are experiencing an
outage, you may need to manually verify the remote state and remove the Digest
value stored in the DynamoDB table`
      : `If this problem persists, and neither S3 nor DynamoDB are experiencing an
outage, you may need to manually verify the remote state and update the Digest
value stored in the DynamoDB table to the following value: ${checksum}`;
  return `state data in S3 does not have the expected content.

The checksum calculated for the state stored in S3 does not match the checksum
stored in DynamoDB.

Bucket: ${bucket}
Key:    ${key}
Calculated checksum: ${checksum}
Stored checksum:     ${expected}

This may be caused by unusually long delays in S3 processing a previous state
update. Please wait for a minute or two and try again.

${advice}
`;
}
