import {
  int64,
  listBlock,
  map,
  type Resource,
  string,
  type ManyBlockOf,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { omitUnset } from '../resource/only.ts';
import { isBucketPropagating, PROPAGATION, putPart, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { foundReplication, requestedReplication } from './replication-rules.ts';
import { lengthBetween, oneOf } from '../resource/validators.ts';
import { isArn } from '../resource/text-forms.ts';

const required = string({ required: true });
const prefix = string({ optional: true, validators: [lengthBetween(0, 1024)] });
const minutes = int64({ required: true });
const single = { maxItems: 1 } as const;
const exactlyOne = { minItems: 1, maxItems: 1 } as const;
const status: ManyBlockOf<{}> = listBlock({ status: required }, single);

const destination = listBlock(
  {
    account: string({ optional: true }),
    bucket: string({ required: true, validators: [isArn] }),
    storage_class: string({ optional: true }),
  },
  {
    ...exactlyOne,
    blocks: {
      access_control_translation: listBlock({ owner: required }, single),
      encryption_configuration: listBlock({ replica_kms_key_id: required }, single),
      metrics: listBlock(
        { status: required },
        { ...single, blocks: { event_threshold: listBlock({ minutes }, single) } },
      ),
      replication_time: listBlock(
        { status: required },
        { ...single, blocks: { time: listBlock({ minutes }, exactlyOne) } },
      ),
    },
  },
);

const filter = listBlock(
  { prefix },
  {
    ...single,
    blocks: {
      and: listBlock({ prefix, tags: map(string, { optional: true }) }, single),
      tag: listBlock({ key: required, value: required }, single),
    },
  },
);

interface Written {
  readonly bucket: string;
  readonly role: string;
  readonly token: string | null;
  readonly rule: readonly object[];
}

/** `aws_s3_bucket_replication_configuration` */
export const bucketReplication: Resource<Aws> = awsResource({
  type: 'S3 Bucket Replication Configuration',
  notFound: [...NO_BUCKET, 'ReplicationConfigurationNotFoundError'],
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true, validators: [lengthBetween(1, 63)] }),
    role: string({ required: true, validators: [isArn] }),
    token: string({ optional: true, sensitive: true }),
  },
  blocks: {
    rule: listBlock(
      {
        id: string({ optional: true, computed: true, validators: [lengthBetween(0, 255)] }),
        prefix: string({
          optional: true,
          validators: [lengthBetween(0, 1024)],
          deprecationMessage: 'prefix is deprecated. Use filter instead.',
        }),
        priority: int64({ optional: true }),
        status: string({ required: true, validators: [oneOf('Enabled', 'Disabled')] }),
      },
      {
        minItems: 1,
        maxItems: 1000,
        blocks: {
          delete_marker_replication: status,
          destination,
          existing_object_replication: status,
          filter,
          source_selection_criteria: listBlock(
            {},
            {
              ...single,
              blocks: { replica_modifications: status, sse_kms_encrypted_objects: status },
            },
          ),
        },
      },
    ),
  },
  label: ({ bucket }) => bucket,

  ...putPart<Written>(
    (aws, to, { role: Role, rule, token }) =>
      aws.s3.putBucketReplication({
        ...to,
        ...omitUnset({ Token: token }),
        ReplicationConfiguration: { Role, Rules: requestedReplication(rule) },
      }),
    (error) =>
      isBucketPropagating(error) ||
      hasMessage(error, 'InvalidRequest', "Versioning must be 'Enabled' on the bucket"),
  ),

  async find({ aws, id }) {
    return (await aws.s3.getBucketReplication({ Bucket: id })).ReplicationConfiguration;
  },

  read: ({ Role, Rules }, { id }) => ({ bucket: id, role: Role, rule: foundReplication(Rules) }),

  async delete({ aws, object, id }) {
    await object.operation(
      'deleting',
      () => aws.s3.deleteBucketReplication({ Bucket: id }),
      whileBusy(),
    );
  },

  gone: { timeout: PROPAGATION },
});
