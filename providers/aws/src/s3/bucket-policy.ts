import { type Resource, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { policyText } from '../json-policy/policy-text.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { isBucketOnItsWay } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import type { RemoteObject } from '@terrane/provider/sdk';

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

  read: (found, { id }) => ({ bucket: id, policy: normalJson(found) }),

  async update({ aws, object, plan, id }) {
    await putPolicy(aws, object, id, plan.policy);
  },

  async delete({ aws, id }) {
    await aws.s3.deleteBucketPolicy({ Bucket: id });
  },
});

/** Sets the policy of a bucket, of which S3 may not know the bucket or the roles it names everywhere yet. */
async function putPolicy(
  aws: RegionalAws,
  object: RemoteObject,
  Bucket: string,
  policy: string,
): Promise<void> {
  await object.operation(
    'putting',
    () => aws.s3.putBucketPolicy({ Bucket, Policy: normalJson(policy) }),
    {
      isRetryable: (error) =>
        isBucketOnItsWay(error) || hasMessage(error, 'MalformedPolicy', 'Invalid principal'),
    },
  );
}
