import { listBlock, minutes, type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { PROPAGATION, putPart, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { oneOf } from '../resource/validators.ts';

/** `aws_s3_bucket_ownership_controls` */
export const bucketOwnershipControls: Resource<Aws> = awsResource({
  type: 'S3 Bucket Ownership Controls',
  notFound: [...NO_BUCKET, 'OwnershipControlsNotFoundError'],
  attributes: { ...regional, bucket: string({ required: true, requiresReplace: true }) },
  blocks: {
    rule: listBlock(
      {
        object_ownership: string({
          required: true,
          validators: [oneOf('BucketOwnerPreferred', 'ObjectWriter', 'BucketOwnerEnforced')],
        }),
      },
      { minItems: 1, maxItems: 1 },
    ),
  },
  label: ({ bucket }) => bucket,

  ...putPart<{
    readonly bucket: string;
    readonly rule: readonly { readonly object_ownership: string }[];
  }>((aws, to, { rule }) => {
    const Rules = rule.map((each) => ({
      ObjectOwnership: enumOf<'ObjectWriter'>(each.object_ownership),
    }));
    return aws.s3.putBucketOwnershipControls({ ...to, OwnershipControls: { Rules } });
  }),

  async find({ aws, id }) {
    return (await aws.s3.getBucketOwnershipControls({ Bucket: id })).OwnershipControls;
  },

  read: ({ Rules = [] }, { id }) => ({
    bucket: id,
    rule: Rules.map(({ ObjectOwnership }) => ({ object_ownership: ObjectOwnership })),
  }),

  async delete({ aws, object, id }) {
    const call = () => aws.s3.deleteBucketOwnershipControls({ Bucket: id });
    await object.operation('deleting', call, whileBusy(minutes(5)));
  },

  gone: { timeout: PROPAGATION },
});
