import {
  atLeast,
  bool,
  int64,
  lengthBetween,
  listBlock,
  map,
  oneOf,
  type RemoteObject,
  type Resource,
  seconds,
  setBlock,
  sizeBetween,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { isWithin } from '../resource/is-within.ts';
import { bucketOf, isBucketPropagating, partId, PROPAGATION, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { foundRules, requestedRules } from './lifecycle-rules.ts';

// The published provider enforces "at most one" by checks and not in the schema.
const atMostOne = { validators: [sizeBetween(0, 1)] } as const;
const size = int64({ optional: true, computed: true, validators: [atLeast(0)] });
const prefix = string({ optional: true, computed: true });
const versions = int64({ optional: true, validators: [atLeast(1)] });
const required = string({ required: true });

/** `aws_s3_bucket_lifecycle_configuration` */
export const bucketLifecycle: Resource<Aws> = awsResource({
  type: 'S3 Bucket Lifecycle Configuration',
  newerSdk: true,
  notFound: [...NO_BUCKET, 'NoSuchLifecycleConfiguration'],
  attributes: {
    ...regional,
    id: string({ computed: true }),
    bucket: string({
      required: true,
      requiresReplace: true,
      validators: [lengthBetween(1, 63)],
    }),
    expected_bucket_owner: string({ optional: true, computed: true, requiresReplace: true }),
    transition_default_minimum_object_size: string({
      optional: true,
      computed: true,
      validators: [oneOf('varies_by_storage_class', 'all_storage_classes_128K')],
    }),
  },
  version: 1,
  blocks: {
    rule: listBlock(
      {
        id: string({ required: true, validators: [lengthBetween(1, 255)] }),
        prefix: string({
          optional: true,
          computed: true,
          deprecationMessage: "Specify a prefix using 'filter' instead",
        }),
        status: string({ required: true, validators: [oneOf('Enabled', 'Disabled')] }),
      },
      {
        blocks: {
          abort_incomplete_multipart_upload: listBlock(
            { days_after_initiation: int64({ optional: true }) },
            atMostOne,
          ),
          expiration: listBlock(
            {
              date: string({ optional: true }),
              days: int64({ optional: true, computed: true }),
              expired_object_delete_marker: bool({ optional: true, computed: true }),
            },
            atMostOne,
          ),
          filter: listBlock(
            { object_size_greater_than: size, object_size_less_than: size, prefix },
            {
              ...atMostOne,
              blocks: {
                and: listBlock(
                  {
                    object_size_greater_than: size,
                    object_size_less_than: size,
                    prefix,
                    tags: map(string, { optional: true }),
                  },
                  atMostOne,
                ),
                tag: listBlock({ key: required, value: required }, atMostOne),
              },
            },
          ),
          noncurrent_version_expiration: listBlock(
            {
              newer_noncurrent_versions: versions,
              noncurrent_days: int64({ required: true, validators: [atLeast(1)] }),
            },
            atMostOne,
          ),
          noncurrent_version_transition: setBlock({
            newer_noncurrent_versions: versions,
            noncurrent_days: int64({ required: true, validators: [atLeast(0)] }),
            storage_class: required,
          }),
          transition: setBlock({
            date: string({ optional: true }),
            days: int64({ optional: true, computed: true, validators: [atLeast(0)] }),
            storage_class: required,
          }),
        },
      },
    ),
    timeouts: timeoutsBlock({ create: '3m', update: '3m' }),
  },
  label: ({ bucket }) => bucket,

  async create({ aws, object, plan, config }) {
    const id = partId(plan.bucket, config.expected_bucket_owner);
    await put(aws, object, id, config);
    return id;
  },

  async created({ aws, object, config, id, timeout }) {
    await waitForRules(aws, object, id, config.rule, timeout);
  },

  async find({ aws, id }) {
    return await aws.s3.getBucketLifecycleConfiguration(bucketOf(id));
  },

  read(configuration, { id }) {
    const { Bucket, ExpectedBucketOwner } = bucketOf(id);
    return {
      bucket: Bucket,
      expected_bucket_owner: ExpectedBucketOwner ?? '',
      rule: foundRules(configuration.Rules),
      transition_default_minimum_object_size:
        configuration.TransitionDefaultMinimumObjectSize ?? 'all_storage_classes_128K',
    };
  },

  async update({ aws, object, config, id, timeout }) {
    await put(aws, object, id, config);
    await waitForRules(aws, object, id, config.rule, timeout);
  },

  async delete({ aws, object, id }) {
    await object.operation(
      'deleting',
      () => aws.s3.deleteBucketLifecycle(bucketOf(id)),
      whileBusy(),
    );
  },

  gone: { timeout: PROPAGATION },
});

type Rules = readonly Readonly<Record<string, unknown>>[];

async function put(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  written: { readonly rule: Rules; readonly transition_default_minimum_object_size: string | null },
): Promise<void> {
  const least = written.transition_default_minimum_object_size;
  await object.operation(
    'putting',
    () =>
      aws.s3.putBucketLifecycleConfiguration({
        ...bucketOf(id),
        LifecycleConfiguration: { Rules: requestedRules(written.rule) },
        ...(least !== null && {
          TransitionDefaultMinimumObjectSize: enumOf<'varies_by_storage_class'>(least),
        }),
      }),
    { isRetryable: isBucketPropagating },
  );
}

/** Waits until the rules are the configured ones. Responses may come from different servers. */
async function waitForRules(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  rules: Rules,
  timeout: number,
): Promise<void> {
  await object.waitForValue('rules', {
    expected: requestedRules(rules),
    value: ({ Rules: rules = [] }) => rules,
    same: (rules, wanted) =>
      rules.length === wanted.length &&
      wanted.every((rule) => rules.some((each) => isWithin(rule, each))),
    read: () => aws.s3.getBucketLifecycleConfiguration(bucketOf(id)),
    continuousTargetOccurrences: 3,
    minTimeout: seconds(10),
    timeout,
  });
}
