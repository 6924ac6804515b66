import {
  isUnknown,
  listBlock,
  type RemoteObject,
  type Resource,
  seconds,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import { bucketOf, isBucketPropagating, partId, PROPAGATION, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { oneOf } from '../resource/validators.ts';

/** `aws_s3_bucket_versioning` */
export const bucketVersioning: Resource<Aws> = awsResource({
  type: 'S3 Bucket Versioning',
  notFound: NO_BUCKET,
  // The published provider requires four reads without a result.
  missingFor: seconds(2),
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
    const input = versioningRequest(plan.versioning_configuration[0]);
    // A bucket that never had versions cannot be reset to none.
    if (input.Status === undefined) return id;
    await object.operation(
      'creating',
      () =>
        aws.s3.putBucketVersioning({
          ...bucketOf(id),
          ...omitUnset({ MFA: plan.mfa }),
          VersioningConfiguration: input,
        }),
      { isRetryable: isBucketPropagating },
    );
    return id;
  },

  async created({ aws, object, plan, id }) {
    await hasStatus(aws, object, id, plan.versioning_configuration[0]?.status);
  },

  async find({ aws, id }) {
    return await aws.s3.getBucketVersioning(bucketOf(id));
  },

  read(versioning, { id }) {
    const { Bucket, ExpectedBucketOwner } = bucketOf(id);
    return {
      bucket: Bucket,
      expected_bucket_owner: ExpectedBucketOwner,
      versioning_configuration: [
        { mfa_delete: versioning.MFADelete ?? '', status: versioning.Status ?? 'Disabled' },
      ],
    };
  },

  async update({ aws, object, plan, id }) {
    const input = {
      ...bucketOf(id),
      ...omitUnset({ MFA: plan.mfa }),
      VersioningConfiguration: versioningRequest(plan.versioning_configuration[0]),
    };
    await object.operation('updating', () => aws.s3.putBucketVersioning(input), whileBusy());
    await hasStatus(aws, object, id, plan.versioning_configuration[0]?.status);
  },

  async delete({ aws, object, id, state }) {
    if (state.versioning_configuration[0]?.status === 'Disabled') return;
    const input = { ...bucketOf(id), VersioningConfiguration: { Status: 'Suspended' } as const };
    try {
      await object.operation('deleting', () => aws.s3.putBucketVersioning(input), whileBusy());
    } catch (error) {
      // Locked objects need versions as long as the bucket exists.
      if (!hasMessage(error, 'InvalidBucketState', 'An Object Lock configuration is present')) {
        throw error;
      }
    }
  },
});

/** Waits until a bucket has a versioning status. Responses may come from different servers. */
async function hasStatus(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  status = '',
): Promise<void> {
  await object.waitForValue('status', {
    expected: status,
    value: ({ Status = 'Disabled' }) => Status,
    read: () => aws.s3.getBucketVersioning(bucketOf(id)),
    continuousTargetOccurrences: 3,
    delay: seconds(1),
    notFoundChecks: 3,
    timeout: PROPAGATION,
  });
}

function versioningRequest(
  written: { readonly status: string; readonly mfa_delete: unknown } | undefined,
): { readonly Status?: 'Enabled' | 'Suspended'; readonly MFADelete?: 'Enabled' | 'Disabled' } {
  const mfa = isUnknown(written?.mfa_delete) ? null : written?.mfa_delete;
  return omitUnset({
    Status: written?.status === 'Disabled' ? undefined : enumOf<'Enabled'>(written?.status),
    MFADelete: enumOf<'Enabled'>(mfa),
  });
}
