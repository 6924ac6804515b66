import {
  bool,
  isUnknown,
  listBlock,
  map,
  type Resource,
  string,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import { tagList } from '../tags/tags.ts';
import { isBucketPropagating } from './bucket-part.ts';
import { CANNED_ACLS } from './consts.ts';
import { emptyBucket } from './empty-bucket.ts';
import { cleanKey, upload } from './object-upload.ts';
import { conflicting, isNotEmpty, oneOf } from '../resource/validators.ts';
import { isArn } from '../resource/text-forms.ts';

const open = { optional: true, computed: true } as const;

/** Arguments whose change requires another upload of the object. */
const CONTENT = [
  'bucket_key_enabled',
  'cache_control',
  'checksum_algorithm',
  'content_base64',
  'content_disposition',
  'content_encoding',
  'content_language',
  'content_type',
  'content',
  'etag',
  'kms_key_id',
  'metadata',
  'server_side_encryption',
  'source',
  'source_hash',
  'storage_class',
  'website_redirect',
] as const;

/** `aws_s3_object` */
export const object: Resource<Aws> = awsResource({
  type: 'S3 Object',
  notFound: ['NoSuchBucket', 'NoSuchKey', 'NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    acl: string({ ...open, validators: [oneOf(...CANNED_ACLS)] }),
    bucket: string({ required: true, requiresReplace: true, validators: [isNotEmpty] }),
    bucket_key_enabled: bool(open),
    cache_control: string({ optional: true }),
    checksum_algorithm: string({ optional: true }),
    checksum_crc32: string({ computed: true }),
    checksum_crc32c: string({ computed: true }),
    checksum_crc64nvme: string({ computed: true }),
    checksum_sha1: string({ computed: true }),
    checksum_sha256: string({ computed: true }),
    content: string({ optional: true }),
    content_base64: string({ optional: true }),
    content_disposition: string({ optional: true }),
    content_encoding: string({ optional: true }),
    content_language: string({ optional: true }),
    content_type: string(open),
    etag: string(open),
    force_destroy: bool({ default: false, computed: false }),
    key: string({ required: true, requiresReplace: true, validators: [isNotEmpty] }),
    kms_key_id: string({ ...open, validators: [isArn] }),
    metadata: map(string, {
      optional: true,
      validators: [
        (metadata) => {
          const upper = Object.keys(metadata).find((name) => name !== name.toLowerCase());
          return upper === undefined
            ? undefined
            : `Metadata must be lowercase only. Offending key: "${upper}"`;
        },
      ],
    }),
    object_lock_legal_hold_status: string({ optional: true }),
    object_lock_mode: string({ optional: true }),
    object_lock_retain_until_date: string({ optional: true }),
    server_side_encryption: string({
      ...open,
      validators: [oneOf('AES256', 'aws:kms', 'aws:kms:dsse')],
    }),
    source: string({ optional: true }),
    source_hash: string({ optional: true }),
    storage_class: string(open),
    version_id: string({ computed: true }),
    website_redirect: string({ optional: true }),
  },
  blocks: {
    override_provider: listBlock(
      {},
      {
        maxItems: 1,
        blocks: {
          default_tags: listBlock({ tags: map(string, { optional: true }) }, { maxItems: 1 }),
        },
      },
    ),
  },
  validators: [
    conflicting('source', 'content', 'content_base64'),
    conflicting('kms_key_id', 'etag'),
  ],
  label: ({ key }) => key,

  plan({ config, state, changed }) {
    const sent = state !== null && changed(...CONTENT);
    const override = config.override_provider[0];
    const overridesTags =
      override !== undefined && !isUnknown(override) && override.default_tags.length > 0;
    return {
      ...(sent && { version_id: unknown(), checksum_crc32: unknown(), checksum_crc32c: unknown() }),
      ...(sent && { checksum_crc64nvme: unknown(), checksum_sha1: unknown() }),
      ...(sent && { checksum_sha256: unknown(), ...(config.etag === null && { etag: unknown() }) }),
      // The tags of the provider block can be omitted here, but not overridden.
      ...(overridesTags && { tags_all: config.tags ?? {} }),
    };
  },

  async create({ aws, object: remote, config, tags }) {
    await remote.operation('uploading', () => upload(aws, config, tags), {
      isRetryable: isBucketPropagating,
    });
    return `${config.bucket}/${config.key}`;
  },

  async find({ aws, state }) {
    const [Bucket, Key] = [state.bucket, cleanKey(state.key)];
    const checked = (state.checksum_algorithm ?? '') !== '';
    return await aws.s3.headObject({ Bucket, Key, ...(checked && { ChecksumMode: 'ENABLED' }) });
  },

  async read(head, { aws, state }) {
    const [Bucket, Key] = [state.bucket, cleanKey(state.key)];
    const { TagSet } = await aws.s3.getObjectTagging({ Bucket, Key });
    return {
      arn: `arn:${aws.partition.id}:s3:::${Bucket}/${Key}`,
      acl: state.acl,
      bucket_key_enabled: head.BucketKeyEnabled ?? false,
      cache_control: head.CacheControl,
      checksum_crc32: head.ChecksumCRC32 ?? '',
      checksum_crc32c: head.ChecksumCRC32C ?? '',
      checksum_crc64nvme: head.ChecksumCRC64NVME ?? '',
      checksum_sha1: head.ChecksumSHA1 ?? '',
      checksum_sha256: head.ChecksumSHA256 ?? '',
      content_disposition: head.ContentDisposition,
      content_encoding: head.ContentEncoding,
      content_language: head.ContentLanguage,
      content_type: head.ContentType ?? '',
      etag: (head.ETag ?? '').replaceAll('"', ''),
      kms_key_id: head.SSEKMSKeyId ?? state.kms_key_id,
      metadata: head.Metadata,
      object_lock_legal_hold_status: head.ObjectLockLegalHoldStatus,
      object_lock_mode: head.ObjectLockMode,
      object_lock_retain_until_date: head.ObjectLockRetainUntilDate?.toISOString().replace(
        /\.\d+Z$/,
        'Z',
      ),
      server_side_encryption: head.ServerSideEncryption ?? '',
      storage_class: head.StorageClass ?? 'STANDARD',
      tags: TagSet ?? [],
      version_id: head.VersionId ?? '',
      website_redirect: head.WebsiteRedirectLocation,
    };
  },

  async update({ aws, object: remote, config, plan, state, changed }) {
    if (changed(...CONTENT)) {
      const tags = isUnknown(plan.tags_all) ? {} : plan.tags_all;
      await remote.operation('uploading', () => upload(aws, config, textsOf(tags)));
      return;
    }
    const [Bucket, Key] = [state.bucket, cleanKey(state.key)];
    if (changed('acl') && config.acl !== null) {
      await aws.s3.putObjectAcl({ Bucket, Key, ACL: enumOf<'private'>(config.acl) });
    }
    if (changed('object_lock_legal_hold_status')) {
      const Status = enumOf<'ON'>(config.object_lock_legal_hold_status ?? 'OFF');
      await aws.s3.putObjectLegalHold({ Bucket, Key, LegalHold: { Status } });
    }
    if (changed('object_lock_mode', 'object_lock_retain_until_date')) {
      const until = config.object_lock_retain_until_date;
      const sooner = until === null || until < (state.object_lock_retain_until_date ?? '');
      await aws.s3.putObjectRetention({
        Bucket,
        Key,
        ...(sooner && { BypassGovernanceRetention: true }),
        Retention: omitUnset({
          Mode: enumOf<'GOVERNANCE'>(config.object_lock_mode),
          RetainUntilDate: until === null ? null : new Date(until),
        }),
      });
    }
  },

  async retag({ aws, state }, { set, removed }) {
    const [Bucket, Key] = [state.bucket, cleanKey(state.key)];
    const { TagSet: tagSet = [] } = await aws.s3.getObjectTagging({ Bucket, Key });
    const remaining = tagSet.filter((tag) => {
      const { Key: name = '' } = tag;
      return !removed.includes(name) && !Object.hasOwn(set, name);
    });
    const TagSet = [...remaining, ...(tagList(set) ?? [])];
    if (TagSet.length === 0) await aws.s3.deleteObjectTagging({ Bucket, Key });
    else await aws.s3.putObjectTagging({ Bucket, Key, Tagging: { TagSet } });
  },

  async delete({ aws, state }) {
    const [Bucket, key] = [state.bucket, cleanKey(state.key)];
    if ((state.version_id ?? '') === '') await aws.s3.deleteObject({ Bucket, Key: key });
    else await emptyBucket(aws, Bucket, { key, locked: state.force_destroy });
  },

  /** `bucket/key`, or as an address: `s3://bucket/key` */
  import(id) {
    const [, bucket, key] = /^(?:s3:\/\/)?([^/]+)\/(.+)$/.exec(id) ?? [];
    if (bucket === undefined || key === undefined) {
      throw new Error(`expected id in format bucket/key or s3://bucket/key, got: ${id}`);
    }
    return { id: `${bucket}/${key}`, bucket, key, force_destroy: false };
  },
});

/** Returns the known tags of a map that may be computed. */
function textsOf(tags: unknown): Readonly<Record<string, string>> {
  if (typeof tags !== 'object' || tags === null) return {};
  return Object.fromEntries(
    Object.entries(tags).filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
}
