import { int64, listBlock, type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import { bucketOf, ownerOf, putPart, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { foundLockRule, requestedLockRule } from './object-lock.ts';
import { lengthBetween, oneOf } from '../resource/validators.ts';

interface Written {
  readonly bucket: string;
  readonly object_lock_enabled: string | null;
  readonly token: string | null;
  readonly rule: readonly object[];
}

/** `aws_s3_bucket_object_lock_configuration` */
export const bucketObjectLock: Resource<Aws> = awsResource({
  type: 'S3 Bucket Object Lock Configuration',
  notFound: [...NO_BUCKET, 'ObjectLockConfigurationNotFoundError'],
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true, validators: [lengthBetween(1, 63)] }),
    expected_bucket_owner: string({ optional: true, requiresReplace: true }),
    object_lock_enabled: string({
      default: 'Enabled',
      computed: false,
      requiresReplace: true,
      validators: [oneOf('Enabled')],
    }),
    token: string({ optional: true, sensitive: true }),
  },
  blocks: {
    rule: listBlock(
      {},
      {
        maxItems: 1,
        blocks: {
          default_retention: listBlock(
            {
              days: int64({ optional: true }),
              mode: string({ optional: true, validators: [oneOf('GOVERNANCE', 'COMPLIANCE')] }),
              years: int64({ optional: true }),
            },
            { minItems: 1, maxItems: 1 },
          ),
        },
      },
    ),
  },
  label: ({ bucket }) => bucket,

  ...putPart<Written>((aws, to, { object_lock_enabled: enabled, rule, token }) =>
    aws.s3.putObjectLockConfiguration({
      ...to,
      ...omitUnset({ Token: token }),
      ObjectLockConfiguration: {
        ObjectLockEnabled: enumOf<'Enabled'>(enabled),
        Rule: requestedLockRule(rule),
      },
    }),
  ),

  async find({ aws, id }) {
    return (await aws.s3.getObjectLockConfiguration(bucketOf(id))).ObjectLockConfiguration;
  },

  read: (configuration, { id }) => ({
    ...ownerOf(id),
    object_lock_enabled: configuration.ObjectLockEnabled,
    rule: foundLockRule(configuration.Rule),
  }),

  async delete({ aws, object, id, state }) {
    // It cannot be disabled: only the enabled state remains.
    const ObjectLockEnabled = enumOf<'Enabled'>(state.object_lock_enabled);
    const none = { ...bucketOf(id), ObjectLockConfiguration: { ObjectLockEnabled } };
    const call = () => aws.s3.putObjectLockConfiguration(none);
    await object.operation('deleting', call, whileBusy());
  },
});
