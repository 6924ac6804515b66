import type { ServerSideEncryptionConfiguration } from '@aws-sdk/client-s3';
import { bool, list, listBlock, type Resource, setBlock, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import { bucketOf, isBucketPropagating, partId, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { oneOf } from '../resource/validators.ts';

const isAlgorithm = oneOf('AES256', 'aws:kms', 'aws:kms:dsse');

/** `aws_s3_bucket_server_side_encryption_configuration` */
export const bucketEncryption: Resource<Aws> = awsResource({
  type: 'S3 Bucket Server-side Encryption Configuration',
  notFound: [...NO_BUCKET, 'ServerSideEncryptionConfigurationNotFoundError'],
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true }),
    expected_bucket_owner: string({ optional: true, requiresReplace: true }),
  },
  blocks: {
    rule: setBlock(
      {
        blocked_encryption_types: list(string, { optional: true }),
        bucket_key_enabled: bool({ optional: true }),
      },
      {
        minItems: 1,
        blocks: {
          apply_server_side_encryption_by_default: listBlock(
            {
              kms_master_key_id: string({ optional: true }),
              sse_algorithm: string({ required: true, validators: [isAlgorithm] }),
            },
            { maxItems: 1 },
          ),
        },
      },
    ),
  },
  label: ({ bucket }) => bucket,

  async create({ aws, object, plan }) {
    const id = partId(plan.bucket, plan.expected_bucket_owner);
    const ServerSideEncryptionConfiguration = encryptionRequest(plan.rule);
    await object.operation(
      'creating',
      () => aws.s3.putBucketEncryption({ ...bucketOf(id), ServerSideEncryptionConfiguration }),
      { isRetryable: isBucketPropagating },
    );
    return id;
  },

  async find({ aws, id }) {
    const answer = await aws.s3.getBucketEncryption(bucketOf(id));
    return answer.ServerSideEncryptionConfiguration;
  },

  read(configuration, { id }) {
    const { Bucket, ExpectedBucketOwner } = bucketOf(id);
    const rules = (configuration.Rules ?? []).map((rule) => {
      const defaultEncryption = rule.ApplyServerSideEncryptionByDefault;
      return {
        apply_server_side_encryption_by_default:
          defaultEncryption === undefined
            ? []
            : [
                {
                  kms_master_key_id: defaultEncryption.KMSMasterKeyID,
                  sse_algorithm: defaultEncryption.SSEAlgorithm,
                },
              ],
        blocked_encryption_types: rule.BlockedEncryptionTypes?.EncryptionType,
        bucket_key_enabled: rule.BucketKeyEnabled,
      };
    });
    return {
      bucket: Bucket,
      expected_bucket_owner: ExpectedBucketOwner,
      rule: rules,
    };
  },

  async update({ aws, object, plan, id }) {
    const ServerSideEncryptionConfiguration = encryptionRequest(plan.rule);
    const input = { ...bucketOf(id), ServerSideEncryptionConfiguration };
    const call = () => aws.s3.putBucketEncryption(input);
    await object.operation('updating', call, { isRetryable: isBucketPropagating });
  },

  // A bucket is always encrypted, so no wait is needed.
  async delete({ aws, object, id }) {
    const call = () => aws.s3.deleteBucketEncryption(bucketOf(id));
    await object.operation('deleting', call, whileBusy());
  },
});

function encryptionRequest(
  rules: readonly {
    readonly blocked_encryption_types: readonly string[] | null;
    readonly bucket_key_enabled: boolean | null;
    readonly apply_server_side_encryption_by_default: readonly {
      readonly kms_master_key_id: string | null;
      readonly sse_algorithm: string;
    }[];
  }[],
): ServerSideEncryptionConfiguration {
  return {
    Rules: rules.map((rule) => {
      const [defaultEncryption] = rule.apply_server_side_encryption_by_default;
      const blocked = rule.blocked_encryption_types;
      return omitUnset({
        BucketKeyEnabled: rule.bucket_key_enabled,
        ApplyServerSideEncryptionByDefault: defaultEncryption && {
          SSEAlgorithm: enumOf<'AES256'>(defaultEncryption.sse_algorithm),
          ...omitUnset({ KMSMasterKeyID: defaultEncryption.kms_master_key_id }),
        },
        BlockedEncryptionTypes: blocked && {
          EncryptionType: blocked.map((each) => enumOf<'SSE-C'>(each)),
        },
      });
    }),
  };
}
