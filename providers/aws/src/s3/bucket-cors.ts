import { int64, type Resource, set, setBlock, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { bucketOf, ownerOf, PROPAGATION, putPart, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { foundCors, requestedCors } from './cors-rules.ts';
import { lengthBetween } from '../resource/validators.ts';

/** `aws_s3_bucket_cors_configuration` */
export const bucketCors: Resource<Aws> = awsResource({
  type: 'S3 Bucket CORS Configuration',
  notFound: [...NO_BUCKET, 'NoSuchCORSConfiguration'],
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true, validators: [lengthBetween(1, 63)] }),
    expected_bucket_owner: string({ optional: true, requiresReplace: true }),
  },
  blocks: {
    cors_rule: setBlock(
      {
        allowed_headers: set(string, { optional: true }),
        allowed_methods: set(string, { required: true }),
        allowed_origins: set(string, { required: true }),
        expose_headers: set(string, { optional: true }),
        id: string({ optional: true, validators: [lengthBetween(0, 255)] }),
        max_age_seconds: int64({ optional: true }),
      },
      { minItems: 1, maxItems: 100 },
    ),
  },
  label: ({ bucket }) => bucket,

  ...putPart<{ readonly bucket: string; readonly cors_rule: readonly object[] }>(
    (aws, to, { cors_rule: rules }) =>
      aws.s3.putBucketCors({ ...to, CORSConfiguration: { CORSRules: requestedCors(rules) } }),
  ),

  async find({ aws, id }) {
    return (await aws.s3.getBucketCors(bucketOf(id))).CORSRules;
  },

  read: (configuration, { id }) => ({
    ...ownerOf(id),
    cors_rule: configuration.map((rule) => ({ ...foundCors(rule), id: rule.ID })),
  }),

  async delete({ aws, object, id }) {
    await object.operation('deleting', () => aws.s3.deleteBucketCors(bucketOf(id)), whileBusy());
  },

  gone: { timeout: PROPAGATION },
});
