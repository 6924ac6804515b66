import { bool, type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { isBucketPropagating, PROPAGATION, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';

/** `aws_s3_bucket_public_access_block` */
export const bucketPublicAccessBlock: Resource<Aws> = awsResource({
  type: 'S3 Bucket Public Access Block',
  notFound: [...NO_BUCKET, 'NoSuchPublicAccessBlockConfiguration'],
  attributes: {
    ...regional,
    block_public_acls: bool({ default: false, computed: false }),
    block_public_policy: bool({ default: false, computed: false }),
    bucket: string({ required: true, requiresReplace: true }),
    ignore_public_acls: bool({ default: false, computed: false }),
    restrict_public_buckets: bool({ default: false, computed: false }),
    skip_destroy: bool({ optional: true }),
  },
  label: ({ bucket }) => bucket,

  async create({ aws, object, plan }) {
    await object.operation(
      'creating',
      () =>
        aws.s3.putPublicAccessBlock({
          Bucket: plan.bucket,
          PublicAccessBlockConfiguration: accessBlockRequest(plan),
        }),
      { isRetryable: isBucketPropagating },
    );
    return plan.bucket;
  },

  async find({ aws, id }) {
    const answer = await aws.s3.getPublicAccessBlock({ Bucket: id });
    return answer.PublicAccessBlockConfiguration;
  },

  read: (settings, { id }) => ({
    bucket: id,
    block_public_acls: settings.BlockPublicAcls ?? false,
    block_public_policy: settings.BlockPublicPolicy ?? false,
    ignore_public_acls: settings.IgnorePublicAcls ?? false,
    restrict_public_buckets: settings.RestrictPublicBuckets ?? false,
  }),

  async update({ aws, object, plan, id: Bucket }) {
    const input = accessBlockRequest(plan);
    const call = () =>
      aws.s3.putPublicAccessBlock({ Bucket, PublicAccessBlockConfiguration: input });
    await object.operation('updating', call, whileBusy());
    await object.waitForValue('change', {
      expected: JSON.stringify(input),
      value: (settings) => JSON.stringify({ ...input, ...settings }),
      read: async () =>
        (await aws.s3.getPublicAccessBlock({ Bucket })).PublicAccessBlockConfiguration,
    });
  },

  async delete({ aws, object, id, state }) {
    if (state.skip_destroy === true) return false;
    const call = () => aws.s3.deletePublicAccessBlock({ Bucket: id });
    await object.operation('deleting', call, whileBusy());
    return undefined;
  },

  gone: { timeout: PROPAGATION },
});

function accessBlockRequest(plan: {
  readonly block_public_acls: boolean;
  readonly block_public_policy: boolean;
  readonly ignore_public_acls: boolean;
  readonly restrict_public_buckets: boolean;
}): Readonly<Record<string, boolean>> {
  return {
    BlockPublicAcls: plan.block_public_acls,
    IgnorePublicAcls: plan.ignore_public_acls,
    BlockPublicPolicy: plan.block_public_policy,
    RestrictPublicBuckets: plan.restrict_public_buckets,
  };
}
