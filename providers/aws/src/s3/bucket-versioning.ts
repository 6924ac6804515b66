import { isUnknown, listBlock, type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { given } from '../resource/only.ts';
import { bucketOf, isBucketOnItsWay, partId } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { oneOf } from '../resource/validators.ts';

/** `aws_s3_bucket_versioning` */
export const bucketVersioning: Resource<Aws> = awsResource({
  type: 'S3 Bucket Versioning',
  notFound: NO_BUCKET,
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true }),
    expected_bucket_owner: string({ optional: true, requiresReplace: true }),
    mfa: string({ optional: true }),
  },
  blocks: {
    versioning_configuration: listBlock(
      {
        mfa_delete: string({ optional: true, computed: true }),
        status: string({
          required: true,
          validators: [oneOf('Enabled', 'Suspended', 'Disabled')],
        }),
      },
      { minItems: 1, maxItems: 1 },
    ),
  },
  label: ({ bucket }) => bucket,

  async create({ aws, object, plan }) {
    const id = partId(plan.bucket, plan.expected_bucket_owner);
    const wanted = requested(plan.versioning_configuration[0]);
    // A bucket that never had versions cannot be told to have none.
    if (wanted.Status === undefined) return id;
    await object.operation(
      'creating',
      () =>
        aws.s3.putBucketVersioning({
          ...bucketOf(id),
          ...given({ MFA: plan.mfa }),
          VersioningConfiguration: wanted,
        }),
      { isRetryable: isBucketOnItsWay },
    );
    return id;
  },

  async created({ aws, object, plan, id }) {
    await object.waitForValue('status', {
      expected: plan.versioning_configuration[0]?.status ?? '',
      value: ({ Status = 'Disabled' }) => Status,
      read: () => aws.s3.getBucketVersioning(bucketOf(id)),
      continuousTargetOccurrences: 2,
    });
  },

  async find({ aws, id }) {
    return await aws.s3.getBucketVersioning(bucketOf(id));
  },

  read(found, { id }) {
    const { Bucket, ExpectedBucketOwner } = bucketOf(id);
    return {
      bucket: Bucket,
      expected_bucket_owner: ExpectedBucketOwner,
      versioning_configuration: [
        { mfa_delete: found.MFADelete ?? '', status: found.Status ?? 'Disabled' },
      ],
    };
  },

  async update({ aws, plan, id }) {
    await aws.s3.putBucketVersioning({
      ...bucketOf(id),
      ...given({ MFA: plan.mfa }),
      VersioningConfiguration: requested(plan.versioning_configuration[0]),
    });
  },

  async delete({ aws, id, state }) {
    if (state.versioning_configuration[0]?.status === 'Disabled') return;
    await aws.s3.putBucketVersioning({
      ...bucketOf(id),
      VersioningConfiguration: { Status: 'Suspended' },
    });
  },
});

function requested(
  written: { readonly status: string; readonly mfa_delete: unknown } | undefined,
): { readonly Status?: 'Enabled' | 'Suspended'; readonly MFADelete?: 'Enabled' | 'Disabled' } {
  const mfa = isUnknown(written?.mfa_delete) ? null : written?.mfa_delete;
  return given({
    Status: written?.status === 'Disabled' ? undefined : enumOf<'Enabled'>(written?.status),
    MFADelete: enumOf<'Enabled'>(mfa),
  });
}
