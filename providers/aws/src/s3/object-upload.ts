import { userErrorText } from '@terrane/host';
import { ProviderError } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import type { Tags } from '../tags/tags.ts';
import { PART_SIZE, uploadInParts } from './multipart-upload.ts';

type Text = string | null;

/** The configured arguments of an object. */
export interface WrittenObject {
  readonly acl: Text;
  readonly bucket: string;
  readonly bucket_key_enabled: boolean | null;
  readonly cache_control: Text;
  readonly checksum_algorithm: Text;
  readonly content: Text;
  readonly content_base64: Text;
  readonly content_disposition: Text;
  readonly content_encoding: Text;
  readonly content_language: Text;
  readonly content_type: Text;
  readonly key: string;
  readonly kms_key_id: Text;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly object_lock_legal_hold_status: Text;
  readonly object_lock_mode: Text;
  readonly object_lock_retain_until_date: Text;
  readonly server_side_encryption: Text;
  readonly source: Text;
  readonly storage_class: Text;
  readonly website_redirect: Text;
}

/** Sends an object, with its tags. */
export async function upload(aws: RegionalAws, written: WrittenObject, tags: Tags): Promise<void> {
  const until = written.object_lock_retain_until_date;
  const locked =
    written.object_lock_legal_hold_status ?? written.object_lock_mode ?? until ?? undefined;
  const encryption = written.kms_key_id === null ? written.server_side_encryption : 'aws:kms';
  const Body = await body(aws, written);
  const request = {
    Bucket: written.bucket,
    Key: cleanKey(written.key),
    ...omitUnset({
      ACL: enumOf<'private'>(written.acl),
      BucketKeyEnabled: written.bucket_key_enabled,
      CacheControl: written.cache_control,
      // Locked objects must be uploaded with a checksum.
      ChecksumAlgorithm: enumOf<'CRC32'>(written.checksum_algorithm ?? (locked && 'CRC32')),
      ContentDisposition: written.content_disposition,
      ContentEncoding: written.content_encoding,
      ContentLanguage: written.content_language,
      ContentType: written.content_type,
      Metadata: written.metadata === null ? null : { ...written.metadata },
      ObjectLockLegalHoldStatus: enumOf<'ON'>(written.object_lock_legal_hold_status),
      ObjectLockMode: enumOf<'GOVERNANCE'>(written.object_lock_mode),
      ObjectLockRetainUntilDate: until === null ? null : new Date(until),
      SSEKMSKeyId: written.kms_key_id,
      ServerSideEncryption: enumOf<'AES256'>(encryption),
      StorageClass: enumOf<'STANDARD'>(written.storage_class),
      Tagging: Object.keys(tags).length === 0 ? null : new URLSearchParams(tags).toString(),
      WebsiteRedirectLocation: written.website_redirect,
    }),
  };
  if (Body.length > PART_SIZE) await uploadInParts(aws, request, Body);
  else await aws.s3.putObject({ ...request, Body });
}

async function body(aws: RegionalAws, written: WrittenObject): Promise<Uint8Array> {
  const { source, content, content_base64: encoded } = written;
  if (source === null) {
    return encoded === null
      ? new TextEncoder().encode(content ?? '')
      : new Uint8Array(Buffer.from(encoded, 'base64'));
  }
  try {
    return await aws.provider.files.readFile(source);
  } catch (problem) {
    const reason = userErrorText(problem);
    throw new ProviderError(`opening S3 object source (${source})`, reason);
  }
}

/** Normalises keys as the published provider always has: without leading `./` or `/`, and without repeated `/`. */
export function cleanKey(key: string): string {
  return key.replace(/^\.\//, '').replace(/^\/+/, '').replace(/\/+/g, '/');
}
