import { bool, type Resource, string, timeoutsBlock, unknown } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { policyText } from '../json-policy/policy-text.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { omitUnset } from '../resource/only.ts';
import { openBlocks } from '../resource/open-blocks.ts';
import { tagList } from '../tags/tags.ts';
import { many, firstBlock } from '../resource/block-values.ts';
import { bucketNames } from './bucket-names.ts';
import { BUSY, isBucketPropagating, isPrincipalPropagating, whileBusy } from './bucket-part.ts';
import { bucketSettings, bucketTags } from './bucket-settings.ts';
import { CANNED_ACLS, HOSTED_ZONES, NO_BUCKET } from './consts.ts';
import { emptyBucket } from './empty-bucket.ts';
import { type OlderBlock, olderBlocks } from './older-blocks.ts';
import { OLDER_SETTINGS } from './older-settings.ts';
import { conflicting, lengthBetween, oneOf } from '../resource/validators.ts';
import { listing } from '../resource/listing.ts';

/** `aws_s3_bucket` */
export const bucket: Resource<Aws> = awsResource({
  type: 'S3 Bucket',
  identity: 'bucket',
  list: listing(
    (aws, ContinuationToken) =>
      aws.s3.listBuckets({ BucketRegion: aws.region, MaxBuckets: 1000, ContinuationToken }),
    ({ Buckets }) => Buckets,
    ({ Name: id, BucketRegion }, aws) =>
      id === undefined || (BucketRegion ?? aws.region) !== aws.region ? undefined : { id },
    ({ ContinuationToken }) => ContinuationToken,
  ),
  notFound: NO_BUCKET,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    acceleration_status: string({ optional: true, computed: true }),
    acl: string({ optional: true, computed: true, validators: [oneOf(...CANNED_ACLS)] }),
    bucket: string({ optional: true, computed: true, requiresReplace: true }),
    bucket_domain_name: string({ computed: true }),
    bucket_prefix: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [lengthBetween(0, 37)],
    }),
    bucket_region: string({ computed: true }),
    bucket_regional_domain_name: string({ computed: true }),
    force_destroy: bool({ default: false, computed: false }),
    hosted_zone_id: string({ computed: true }),
    object_lock_enabled: bool({ optional: true, computed: true, requiresReplace: true }),
    policy: policyText({ optional: true, computed: true }),
    request_payer: string({ optional: true, computed: true }),
    website_domain: string({ computed: true }),
    website_endpoint: string({ computed: true }),
  },
  blocks: {
    ...olderBlocks,
    timeouts: timeoutsBlock({ create: '20m', read: '20m', update: '20m', delete: '60m' }),
  },
  validators: [
    conflicting('bucket', 'bucket_prefix'),
    conflicting('acl', 'grant'),
    conflicting('object_lock_enabled', 'object_lock_configuration'),
  ],
  label: ({ bucket: name }) => (typeof name === 'string' ? name : 'new'),

  plan({ config, state, changed }) {
    const open = openBlocks(OLDER_NAMES, config, state);
    if (state === null) return open;
    // An argument may change the values of others.
    const site = changed('website') && config.website.length > 0;
    return {
      ...open,
      ...(changed('acl') && config.grant.length === 0 && { grant: unknown() }),
      ...(site && { website_domain: unknown(), website_endpoint: unknown() }),
    };
  },

  async create({ aws, object, config, timeout }) {
    const Bucket = nameOf(aws, { name: config.bucket, name_prefix: config.bucket_prefix });
    await object.operation(
      'creating',
      () =>
        aws.s3.createBucket({
          Bucket,
          ...omitUnset({ ACL: enumOf<'private'>(config.acl) }),
          ...(isLocked(config) && { ObjectLockEnabledForBucket: true }),
          // The first region must be omitted.
          ...(aws.region !== 'us-east-1' && {
            CreateBucketConfiguration: { LocationConstraint: enumOf<'eu-west-1'>(aws.region) },
          }),
        }),
      // A bucket with that name may be in deletion, which takes longer than a change.
      whileBusy(timeout),
    );
    return Bucket;
  },

  async created({ aws, object, config, id, tags, timeout }) {
    await object.read(() => aws.s3.headBucket({ Bucket: id }), { isNew: true, timeout });
    await object.operation(
      'configuring',
      async () => {
        const TagSet = tagList(tags);
        if (TagSet !== undefined)
          await aws.s3.putBucketTagging({ Bucket: id, Tagging: { TagSet } });
        // The bucket is created with the configured `acl`.
        await configure(aws, id, { ...config, acl: null });
        for (const name of OLDER_NAMES) {
          const blocks = many(config[name]);
          if (blocks.length > 0) await OLDER_SETTINGS[name].put(aws, id, blocks, true);
        }
      },
      { isRetryable: isNotReady },
    );
  },

  async find({ aws, id }) {
    return await aws.s3.headBucket({ Bucket: id });
  },

  async read(bucket, { aws, id, state }) {
    return {
      bucket: id,
      bucket_prefix: prefixOf(id) ?? '',
      acl: state.acl,
      hosted_zone_id: HOSTED_ZONES.get(aws.region) ?? '',
      ...bucketNames(aws, id, bucket.BucketRegion ?? aws.region),
      ...(await bucketSettings(aws, id)),
    };
  },

  async update({ aws, object, plan, config, changed, id }) {
    const input = {
      acl: changed('acl') ? config.acl : null,
      acceleration_status: changed('acceleration_status') ? config.acceleration_status : null,
      policy: changed('policy') ? config.policy : null,
      request_payer: changed('request_payer') ? config.request_payer : null,
    };
    await object.operation('updating', () => configure(aws, id, input), {
      isRetryable: isNotReady,
    });
    for (const name of OLDER_NAMES) {
      if (!changed(name) || config[name].length === 0) continue;
      const blocks = many(plan[name]);
      await object.operation(
        `setting ${name} of`,
        () => OLDER_SETTINGS[name].put(aws, id, blocks, false),
        { isRetryable: isNotReady },
      );
    }
  },

  async retag({ aws, id: Bucket }, { set, removed }) {
    // All tags are set at once; system tags cannot be removed.
    const tags = await bucketTags(aws, Bucket);
    const remaining = tags.filter(
      ({ Key = '' }) => !removed.includes(Key) && !Object.hasOwn(set, Key),
    );
    const TagSet = [...remaining, ...(tagList(set) ?? [])];
    if (TagSet.length === 0) await aws.s3.deleteBucketTagging({ Bucket });
    else await aws.s3.putBucketTagging({ Bucket, Tagging: { TagSet } });
  },

  async delete({ aws, object, id: Bucket, state, timeout }) {
    const locked = state.object_lock_enabled === true;
    try {
      await object.operation('deleting', () => aws.s3.deleteBucket({ Bucket }), whileBusy());
    } catch (error) {
      if (!state.force_destroy || !hasCode(error, 'BucketNotEmpty')) throw error;
      await object.operation(
        'deleting',
        async () => {
          await emptyBucket(aws, Bucket, { locked });
          await aws.s3.deleteBucket({ Bucket });
        },
        { isRetryable: (again) => hasCode(again, 'BucketNotEmpty', BUSY) },
      );
    }
    await object.waitForDeletion({
      pending: ['exists'],
      timeout,
      refresh: async () => ({ result: await aws.s3.headBucket({ Bucket }), state: 'exists' }),
    });
  },

  import: (id) => ({ id, force_destroy: false }),
});

// The order of the table, in which they are written.
const OLDER_NAMES = Object.keys(OLDER_SETTINGS) as OlderBlock[];

/** Tests whether object lock is configured, which only new buckets support. */
function isLocked(config: {
  readonly object_lock_enabled: boolean | null;
  readonly object_lock_configuration: unknown;
}): boolean {
  const written = firstBlock(config.object_lock_configuration);
  return config.object_lock_enabled === true || written?.['object_lock_enabled'] === 'Enabled';
}

function isNotReady(error: unknown): boolean {
  return (
    isBucketPropagating(error) ||
    isPrincipalPropagating(error) ||
    hasMessage(error, 'InvalidRequest', "Versioning must be 'Enabled' on the bucket")
  );
}

/** Applies the configured arguments; null ones remain unchanged. */
async function configure(
  { s3 }: RegionalAws,
  Bucket: string,
  written: {
    readonly acl: string | null;
    readonly acceleration_status: string | null;
    readonly policy: string | null;
    readonly request_payer: string | null;
  },
): Promise<void> {
  const { acl, acceleration_status: acceleration, policy, request_payer: payer } = written;
  if (acl !== null) await s3.putBucketAcl({ Bucket, ACL: enumOf<'private'>(acl) });
  if (policy === '') await s3.deleteBucketPolicy({ Bucket });
  else if (policy !== null) await s3.putBucketPolicy({ Bucket, Policy: normalJson(policy) });
  if (acceleration !== null) {
    const AccelerateConfiguration = { Status: enumOf<'Enabled'>(acceleration) };
    await s3.putBucketAccelerateConfiguration({ Bucket, AccelerateConfiguration });
  }
  if (payer !== null) {
    const RequestPaymentConfiguration = { Payer: enumOf<'Requester'>(payer) };
    await s3.putBucketRequestPayment({ Bucket, RequestPaymentConfiguration });
  }
}
