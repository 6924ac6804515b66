import type { LoggingEnabled } from '@aws-sdk/client-s3';
import { listBlock, type Resource, setBlock, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { only } from '../resource/only.ts';
import { list, many, firstBlock, orNone } from '../resource/block-values.ts';
import { bucketOf, ownerOf, putPart, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { foundGrants, granteeBlock, requestedGrants } from './grants.ts';
import { lengthBetween } from '../resource/validators.ts';

const required = string({ required: true });
const single = { maxItems: 1 } as const;

interface Written {
  readonly bucket: string;
  readonly target_bucket: string;
  readonly target_prefix: string;
  readonly target_grant: readonly object[];
  readonly target_object_key_format: readonly object[];
}

/** `aws_s3_bucket_logging` */
export const bucketLogging: Resource<Aws> = awsResource({
  type: 'S3 Bucket Logging',
  notFound: NO_BUCKET,
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true, validators: [lengthBetween(1, 63)] }),
    expected_bucket_owner: string({ optional: true, requiresReplace: true }),
    target_bucket: required,
    target_prefix: required,
  },
  blocks: {
    target_grant: setBlock({ permission: required }, { blocks: { grantee: granteeBlock(1) } }),
    target_object_key_format: listBlock(
      {},
      {
        ...single,
        blocks: {
          partitioned_prefix: listBlock({ partition_date_source: required }, single),
          simple_prefix: listBlock({}, single),
        },
      },
    ),
  },
  label: ({ bucket }) => bucket,

  ...putPart<Written>((aws, to, plan) => {
    const grants = requestedGrants<'READ'>(plan.target_grant);
    const LoggingEnabled: LoggingEnabled = {
      TargetBucket: plan.target_bucket,
      TargetPrefix: plan.target_prefix,
      TargetGrants: orNone(grants),
      TargetObjectKeyFormat: requestedFormat(plan.target_object_key_format),
    };
    return aws.s3.putBucketLogging({ ...to, BucketLoggingStatus: { LoggingEnabled } });
  }),

  async find({ aws, id }) {
    const { LoggingEnabled } = await aws.s3.getBucketLogging(bucketOf(id));
    return only(LoggingEnabled && [LoggingEnabled]);
  },

  read: (logging, { id }) => ({
    ...ownerOf(id),
    target_bucket: logging.TargetBucket,
    target_prefix: logging.TargetPrefix ?? '',
    target_grant: foundGrants(logging.TargetGrants),
    target_object_key_format: list(logging.TargetObjectKeyFormat, (format) => ({
      partitioned_prefix: list(format.PartitionedPrefix, ({ PartitionDateSource }) => ({
        partition_date_source: PartitionDateSource,
      })),
      simple_prefix: list(format.SimplePrefix, () => ({})),
    })),
  }),

  async delete({ aws, object, id }) {
    const none = { ...bucketOf(id), BucketLoggingStatus: {} };
    await object.operation('deleting', () => aws.s3.putBucketLogging(none), whileBusy());
  },
});

function requestedFormat(
  written: readonly object[],
): LoggingEnabled['TargetObjectKeyFormat'] | undefined {
  const format = firstBlock(written);
  if (format === undefined) return undefined;
  if (many(format['simple_prefix']).length > 0) return { SimplePrefix: {} };
  const source = firstBlock(format['partitioned_prefix'])?.['partition_date_source'];
  return { PartitionedPrefix: { PartitionDateSource: enumOf<'EventTime'>(source) } };
}
