import { type RemoteObject, type Resource, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { policyText } from '../json-policy/policy-text.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import {
  isBucketPropagating,
  isPrincipalPropagating,
  PROPAGATION,
  whileBusy,
} from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';

/** `aws_s3_bucket_policy` */
export const bucketPolicy: Resource<Aws> = awsResource({
  type: 'S3 Bucket Policy',
  notFound: [...NO_BUCKET, 'NoSuchBucketPolicy'],
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true }),
    policy: policyText({ required: true }),
  },
  label: ({ bucket }) => bucket,

  async create({ aws, object, plan: { bucket, policy } }) {
    await putPolicy(aws, object, bucket, policy);
    return bucket;
  },

  async find({ aws, id }) {
    return (await aws.s3.getBucketPolicy({ Bucket: id })).Policy;
  },

  read: (document, { id }) => ({ bucket: id, policy: normalJson(document) }),

  async update({ aws, object, plan, id }) {
    await putPolicy(aws, object, id, plan.policy);
  },

  async delete({ aws, object, id }) {
    await object.operation(
      'deleting',
      () => aws.s3.deleteBucketPolicy({ Bucket: id }),
      whileBusy(),
    );
  },

  gone: { timeout: PROPAGATION },
});

/** Sets the policy of a bucket; the bucket or the roles in the policy may not have propagated yet. */
async function putPolicy(
  aws: RegionalAws,
  object: RemoteObject,
  Bucket: string,
  policy: string,
): Promise<void> {
  await object.operation(
    'putting',
    () => aws.s3.putBucketPolicy({ Bucket, Policy: normalJson(policy) }),
    { isRetryable: (error) => isBucketPropagating(error) || isPrincipalPropagating(error) },
  );
}
