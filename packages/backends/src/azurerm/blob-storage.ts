import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { LockLost, type LockInfo, type LockOutcome, type Storage } from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import { lockText, parseLock } from '../lock-text.ts';
import type { BlobEncryption } from './azurerm-settings.ts';
import { azureError, errorCode, statusOf } from './azure-error.ts';
import type { BlockBlobClient } from './libraries/azure-blob.ts';

/** The blob of a state, and its container. */
export interface BlobPlace {
  readonly blob: BlockBlobClient;
  readonly account: string;
  readonly container: string;
  readonly key: string;
  /** true to keep a snapshot of the replaced state */
  readonly snapshots: boolean;
  /** the encryption of content and metadata */
  readonly encryption: BlobEncryption;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the storage of a state in an Azure blob. Its lock is compatible with Terraform's: an infinite lease on the
 * blob, whose ID is the lock ID, and the holder in base64 in the blob's metadata. Each write requires the lease, so
 * that nothing is written after the lock was broken.
 */
export function blobStorage(place: BlobPlace): Storage {
  return new BlobStorage(place);
}

const LOCK_INFO = 'terraformlockid';
const JSON_TYPE = { blobContentType: 'application/json' };
// Metadata writes change the ETag like state writes: the blob is read again after each.
const ATTEMPTS = 5;

/** The last observed version of the blob. */
interface Seen {
  /** `undefined`: there was no blob */
  readonly etag: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** the digest of the content; `undefined` if the blob was missing or empty */
  readonly digest: string | undefined;
}

class BlobStorage implements Storage {
  readonly #place: BlobPlace;
  #leaseId: string | undefined;
  #seen: Seen | undefined;

  constructor(place: BlobPlace) {
    this.#place = place;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { content, seen } = await this.#doing('reading', () => this.#download());
    this.#seen = seen;
    return content;
  }

  async #download(): Promise<{ content: Uint8Array | undefined; seen: Seen }> {
    const { blob } = this.#place;
    try {
      const answer = await blob.download(0, undefined, {
        ...this.#abort(),
        ...this.#customerKey(),
        ...(this.#leaseId !== undefined && { conditions: { leaseId: this.#leaseId } }),
        maxRetryRequests: 3,
      });
      const { readableStreamBody: body, etag, metadata = {} } = answer;
      const content = body === undefined ? Buffer.alloc(0) : await buffer(body);
      if (content.length === 0)
        return { content: undefined, seen: { etag, metadata, digest: undefined } };
      return { content, seen: { etag, metadata, digest: digestOf(content) } };
    } catch (error) {
      if (errorCode(error) !== 'BlobNotFound') throw error;
      return {
        content: undefined,
        seen: { etag: undefined, metadata: {}, digest: undefined },
      };
    }
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const content = joined(data);
    const digest = digestOf(content);
    const base = this.#seen ?? (await this.#doing('reading', () => this.#download())).seen;
    if (this.#place.snapshots && base.etag !== undefined) {
      await this.#doing('snapshotting', () => this.#snapshot());
    }
    await beforeCommit?.();
    let seen = base;
    for (let attempt = 1; ; attempt++) {
      try {
        const etag = await this.#upload(content, seen);
        this.#seen = { etag, metadata: seen.metadata, digest };
        return;
      } catch (error) {
        this.#refuse(error);
        if (!CHANGED.has(errorCode(error)) || attempt === ATTEMPTS) {
          throw azureError(this.#sentence('writing'), error, this.#place.signal);
        }
      }
      // Locking and unlocking change the ETag, as does a write whose response was lost.
      seen = (await this.#doing('reading', () => this.#download())).seen;
      if (seen.digest === digest) {
        this.#seen = seen;
        return;
      }
      if (seen.digest !== base.digest) {
        throw new StateConflict(
          `Another client has written the state ${this.#name()} since it was read here.`,
        );
      }
    }
  }

  async #upload(content: Uint8Array, { etag, metadata }: Seen): Promise<string | undefined> {
    const answer = await this.#place.blob.upload(Buffer.from(content), content.length, {
      ...this.#abort(),
      ...this.#place.encryption,
      blobHTTPHeaders: JSON_TYPE,
      metadata: { ...metadata },
      conditions: {
        ...(etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }),
        ...(this.#leaseId !== undefined && { leaseId: this.#leaseId }),
      },
    });
    return answer.etag;
  }

  async #snapshot(): Promise<void> {
    await this.#place.blob.createSnapshot({
      ...this.#abort(),
      ...this.#place.encryption,
      ...(this.#leaseId !== undefined && { conditions: { leaseId: this.#leaseId } }),
    });
  }

  /** Throws the error for a failed lease condition. */
  #refuse(error: unknown): void {
    switch (errorCode(error)) {
      case 'LeaseIdMissing':
        throw new StateConflict(
          `The state ${this.#name()} is locked by another client: nothing has been written.`,
          { cause: error },
        );
      case 'LeaseLost':
      case 'LeaseNotPresentWithBlobOperation':
      case 'LeaseIdMismatchWithBlobOperation':
        throw new LockLost(
          `The lock on the state ${this.#name()} has been broken by another client: nothing has been written.`,
          { cause: error },
        );
    }
  }

  async lock(request: LockInfo): Promise<LockOutcome> {
    const { blob, container, key } = this.#place;
    const info = { ...request, path: `${container}/${key}` };
    const lease = blob.getBlobLeaseClient(info.id);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#leased(() => lease.acquireLease(-1, this.#abort()));
        break;
      } catch (error) {
        if (errorCode(error) !== 'LeaseAlreadyPresent')
          throw azureError(this.#sentence('locking'), error, this.#place.signal);
        const held = await this.#held();
        // The new holder has not written its lock information yet, or has released the lock.
        if (held.info !== undefined || attempt === ATTEMPTS) return held;
      }
    }
    this.#leaseId = info.id;
    try {
      const { metadata = {} } = await this.#properties();
      const encoded = Buffer.from(lockText(info)).toString('base64');
      await this.#writeMetadata({ ...metadata, [LOCK_INFO]: encoded }, info.id);
    } catch (error) {
      this.#leaseId = undefined;
      // A lock without information about its holder would block all clients.
      await lease.releaseLease(this.#abort()).catch(() => undefined);
      throw azureError(this.#sentence('locking'), error, this.#place.signal);
    }
    return { kind: 'locked', id: info.id };
  }

  /** Acquires a lease on the blob, which is created if it is missing. */
  async #leased(acquire: () => Promise<unknown>): Promise<void> {
    try {
      await acquire();
    } catch (error) {
      if (errorCode(error) !== 'BlobNotFound') throw error;
      try {
        await this.#place.blob.upload('', 0, {
          ...this.#abort(),
          ...this.#place.encryption,
          blobHTTPHeaders: JSON_TYPE,
          conditions: { ifNoneMatch: '*' },
        });
      } catch (creationError) {
        // Another client has created it, and may have leased it by now.
        if (!CHANGED.has(errorCode(creationError)) && errorCode(creationError) !== 'LeaseIdMissing')
          throw creationError;
      }
      await acquire();
    }
  }

  async #held(): Promise<Extract<LockOutcome, { kind: 'held' }>> {
    const error = 'state blob is already locked';
    try {
      const info = infoIn((await this.#properties()).metadata);
      if (info !== undefined) return { kind: 'held', error, info };
      return { kind: 'held', error: `${error}\nblob metadata "${LOCK_INFO}" was empty` };
    } catch (problem) {
      const reason = azureError('', problem, this.#place.signal).message;
      return { kind: 'held', error: `${error}\n${reason}` };
    }
  }

  /** A lease that does not end can still be renewed, which succeeds for its holder only. */
  async confirmLock(): Promise<void> {
    const id = this.#leaseId;
    if (id === undefined) throw new LockLost('The lock of the state is not held.');
    try {
      await this.#place.blob.getBlobLeaseClient(id).renewLease(this.#abort());
    } catch (error) {
      if (NO_LEASE.has(errorCode(error))) throw this.#leaseLost(error);
      throw azureError(this.#sentence('looking at the lock of'), error, this.#place.signal);
    }
  }

  #leaseLost(cause: unknown): LockLost {
    return new LockLost(`The lock on the state ${this.#name()} has been broken by another client`, {
      cause,
    });
  }

  async lockHolder(): Promise<LockInfo | undefined> {
    return await this.#doing('looking at the lock of', async () => {
      try {
        const { leaseStatus, metadata } = await this.#properties();
        return leaseStatus === 'locked' ? (infoIn(metadata) ?? UNNAMED) : undefined;
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    });
  }

  async unlock(id: string): Promise<void> {
    const { blob, signal } = this.#place;
    const properties = await this.#properties().catch((error: unknown) => {
      throw azureError('failed to retrieve lock info', error, signal);
    });
    const metadata = { ...properties.metadata };
    const info = infoIn(metadata);
    // Without lock information, the ID alone identifies the lock.
    if (info === undefined && properties.leaseStatus !== 'locked') {
      throw new Error(`failed to retrieve lock info: blob metadata "${LOCK_INFO}" was empty`);
    }
    if (info !== undefined && info.id !== id) {
      throw new Error(`lock id ${JSON.stringify(id)} does not match existing lock`);
    }
    const sentence = this.#sentence('unlocking');
    if (info !== undefined) {
      try {
        await this.#writeMetadata(withoutEntry(metadata, LOCK_INFO), id);
      } catch (error) {
        throw azureError('failed to delete lock info from metadata', error, signal);
      }
    }
    try {
      await blob.getBlobLeaseClient(id).releaseLease(this.#abort());
    } catch (error) {
      // The lease was held just now, so an earlier attempt has released it and its response was lost.
      if (info === undefined || !GIVEN_BACK.has(errorCode(error))) {
        throw azureError(sentence, error, signal);
      }
    }
    if (this.#leaseId === id) this.#leaseId = undefined;
  }

  async #properties(): Promise<{
    readonly metadata?: Record<string, string>;
    readonly leaseStatus?: string;
  }> {
    return await this.#place.blob.getProperties({ ...this.#abort(), ...this.#customerKey() });
  }

  /** The ETag of the content is a condition even if only the metadata changes. */
  async #writeMetadata(metadata: Record<string, string>, leaseId: string): Promise<void> {
    const seen = this.#seen;
    const { blob } = this.#place;
    if (seen?.etag !== undefined) {
      try {
        const { etag } = await blob.setMetadata(metadata, {
          ...this.#abort(),
          ...this.#place.encryption,
          conditions: { leaseId, ifMatch: seen.etag },
        });
        this.#seen = { ...seen, etag, metadata };
        return;
      } catch (error) {
        if (!CHANGED.has(errorCode(error))) throw error;
      }
    }
    await blob.setMetadata(metadata, {
      ...this.#abort(),
      ...this.#place.encryption,
      conditions: { leaseId },
    });
  }

  /** A scope is known to the service; a key has to be shown for each reading. */
  #customerKey(): Pick<BlobEncryption, 'customerProvidedKey'> {
    const { customerProvidedKey } = this.#place.encryption;
    return customerProvidedKey === undefined ? {} : { customerProvidedKey };
  }

  #abort(): { abortSignal?: AbortSignal } {
    const { signal } = this.#place;
    return signal === undefined ? {} : { abortSignal: signal };
  }

  #name(): string {
    const { key, container, account } = this.#place;
    return `${JSON.stringify(key)} (container ${JSON.stringify(container)}, account ${JSON.stringify(account)})`;
  }

  #sentence(doing: string): string {
    return `${doing} the blob ${this.#name()}`;
  }

  async #doing<T>(subject: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      this.#refuse(error);
      throw azureError(this.#sentence(subject), error, this.#place.signal);
    }
  }
}

const CHANGED: ReadonlySet<string> = new Set([
  'ConditionNotMet',
  'BlobAlreadyExists',
  'BlobNotFound',
]);

const GIVEN_BACK: ReadonlySet<string> = new Set([
  'LeaseIdMismatchWithLeaseOperation',
  'LeaseNotPresentWithLeaseOperation',
]);

/** Error codes of a renewal for a lease that is not held any more. */
const NO_LEASE: ReadonlySet<string> = new Set([
  ...GIVEN_BACK,
  'LeaseIsBrokenAndCannotBeRenewed',
  'LeaseLost',
  'BlobNotFound',
]);

const UNNAMED: LockInfo = {
  id: '',
  operation: '',
  info: 'The lock does not say whose it is.',
  who: '',
  version: '',
  created: '',
  path: '',
};

function infoIn(metadata: Readonly<Record<string, string>> | undefined): LockInfo | undefined {
  const encoded = metadata?.[LOCK_INFO] ?? '';
  return encoded === '' ? undefined : parseLock(Buffer.from(encoded, 'base64').toString()).info;
}

function withoutEntry(
  metadata: Readonly<Record<string, string>>,
  name: string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).filter(([other]) => other !== name));
}

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
