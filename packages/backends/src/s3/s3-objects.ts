import type { AwsClients } from './aws-clients.ts';
import {
  awsFailure,
  errorName,
  errorStatus,
  isNotImplemented,
  isPreconditionFailed,
} from './aws-error.ts';
import type { ObjectSettings } from './s3-settings.ts';

/** The content of a key, with its version. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly etag: string | undefined;
}

/** The precondition of a write: absent (`'absent'`), a certain version, or none (`undefined`). */
export type Expected = 'absent' | { readonly etag: string } | undefined;

/** The outcome of a conditional write. */
export type PutOutcome =
  | { readonly kind: 'written'; readonly etag: string | undefined }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'unsupported'; readonly error: unknown };

/** The number of attempts after S3 reports a conflict with another write or deletion of the same object. */
const MEETINGS = 5;

/** The objects of a bucket, with the configured encryption and ACL. Errors are those of the SDK. */
export class S3Objects {
  readonly #clients: AwsClients;
  readonly #settings: ObjectSettings;
  readonly #region: string;

  constructor(clients: AwsClients, settings: ObjectSettings, region: string) {
    this.#clients = clients;
    this.#settings = settings;
    this.#region = region;
  }

  get bucket(): string {
    return this.#settings.bucket;
  }

  /** `undefined`: there is no such object. */
  async get(key: string): Promise<StoredObject | undefined> {
    const { aws, s3 } = this.#clients;
    try {
      const answer = await s3.send(
        new aws.GetObjectCommand({ Bucket: this.bucket, Key: key, ...this.#customerKey() }),
      );
      const bytes = (await answer.Body?.transformToByteArray()) ?? new Uint8Array();
      return { bytes, etag: answer.ETag };
    } catch (error) {
      if (errorName(error) === 'NoSuchBucket' || errorStatus(error) !== 404) throw error;
      return undefined;
    }
  }

  /** Writes an object if its version is the expected one. Rejects if neither is known. */
  async put(
    key: string,
    body: Uint8Array | string,
    expected: Expected,
    kind: 'state' | 'lock' | 'side',
  ): Promise<PutOutcome> {
    const tags = kind === 'lock' ? this.#settings.lockTags : this.#settings.stateTags;
    const { aws, s3 } = this.#clients;
    for (let meeting = 1; ; meeting++) {
      try {
        const { ETag } = await s3.send(
          new aws.PutObjectCommand({
            Bucket: this.bucket,
            Key: key,
            Body: body,
            ContentType: kind === 'side' ? 'application/octet-stream' : 'application/json',
            ...(this.#settings.checksum ? { ChecksumAlgorithm: 'SHA256' } : {}),
            ...this.#encryption(),
            // The valid access control lists are determined by the service.
            ...(this.#settings.acl === undefined ? {} : { ACL: this.#settings.acl as 'private' }),
            ...(tags === '' ? {} : { Tagging: tags }),
            ...(expected === 'absent' ? { IfNoneMatch: '*' } : {}),
            ...(typeof expected === 'object' ? { IfMatch: expected.etag } : {}),
          }),
        );
        return { kind: 'written', etag: ETag };
      } catch (error) {
        if (expected === undefined || errorName(error) === 'NoSuchBucket') throw error;
        if (errorStatus(error) === 409 && meeting < MEETINGS) continue;
        if (isPreconditionFailed(error) || errorStatus(error) === 409) {
          return { kind: 'refused', error };
        }
        // The object to replace does not exist any more.
        if (typeof expected === 'object' && errorStatus(error) === 404) {
          return { kind: 'refused', error };
        }
        if (isNotImplemented(error)) return { kind: 'unsupported', error };
        throw error;
      }
    }
  }

  /**
   * Deletes an object, conditionally on its ETag if set. Returns false if the ETag differs by now. Servers without
   * conditional deletion delete unconditionally.
   */
  async delete(key: string, etag?: string): Promise<boolean> {
    const { aws, s3 } = this.#clients;
    const object = { Bucket: this.bucket, Key: key };
    const condition = etag === undefined || etag === '' ? {} : { IfMatch: etag };
    try {
      await s3.send(new aws.DeleteObjectCommand({ ...object, ...condition }));
    } catch (error) {
      if (etag === undefined) throw error;
      if (isPreconditionFailed(error) || errorStatus(error) === 409) return false;
      // An object that is already gone need not be deleted.
      if (errorStatus(error) === 404 && errorName(error) !== 'NoSuchBucket') return true;
      if (!isNotImplemented(error)) throw error;
      await s3.send(new aws.DeleteObjectCommand(object));
    }
    return true;
  }

  /** Lists keys with a prefix. */
  async *keys(prefix: string): AsyncGenerator<string> {
    const { aws, s3 } = this.#clients;
    let token: string | undefined;
    do {
      const page = await s3.send(
        new aws.ListObjectsV2Command({
          Bucket: this.bucket,
          Prefix: prefix,
          MaxKeys: 1000,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      );
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  /** Formats an error for users. */
  failure(operation: string, error: unknown): string {
    return awsFailure('S3', operation, error, this.#region);
  }

  /** Returns Terraform's error for a missing bucket; `undefined` for other errors. */
  missingBucket(operation: string, error: unknown): string | undefined {
    if (errorName(error) !== 'NoSuchBucket') return undefined;
    return `S3 bucket ${JSON.stringify(this.bucket)} does not exist.

The referenced S3 bucket must have been previously created. If the S3 bucket
was created within the last minute, please wait for a minute or two and try
again.

Error: ${this.failure(operation, error)}
`;
  }

  #customerKey(): { readonly SSECustomerKey?: string; readonly SSECustomerAlgorithm?: string } {
    const { encrypt, customerKey } = this.#settings;
    return encrypt && customerKey !== undefined
      ? { SSECustomerKey: customerKey, SSECustomerAlgorithm: 'AES256' }
      : {};
  }

  #encryption(): Readonly<Record<string, string>> & {
    readonly ServerSideEncryption?: 'AES256' | 'aws:kms';
  } {
    const { encrypt, kmsKeyId, customerKey } = this.#settings;
    if (!encrypt) return {};
    if (kmsKeyId !== undefined) return { SSEKMSKeyId: kmsKeyId, ServerSideEncryption: 'aws:kms' };
    return customerKey === undefined ? { ServerSideEncryption: 'AES256' } : this.#customerKey();
  }
}
