import { listBlock, type Resource, setBlock, string, unknown } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { computedBlocks } from '../resource/computed-blocks.ts';
import { enumOf } from '../resource/enum-of.ts';
import { many, firstBlock, text, compact } from '../resource/block-values.ts';
import { type BucketOf, isBucketPropagating, whileBusy } from './bucket-part.ts';
import { CANNED_ACLS, NO_BUCKET } from './consts.ts';
import { foundGrants, granteeBlock, requestedGrants } from './grants.ts';
import { exactlyOneConfigured, lengthBetween, oneOf } from '../resource/validators.ts';

/** `aws_s3_bucket_acl` */
export const bucketAcl: Resource<Aws> = awsResource({
  type: 'S3 Bucket ACL',
  notFound: NO_BUCKET,
  attributes: {
    ...regional,
    acl: string({ optional: true, validators: [oneOf(...CANNED_ACLS)] }),
    bucket: string({ required: true, requiresReplace: true, validators: [lengthBetween(1, 63)] }),
    expected_bucket_owner: string({ optional: true, requiresReplace: true }),
  },
  blocks: {
    access_control_policy: listBlock(
      {},
      {
        maxItems: 1,
        blocks: {
          grant: setBlock(
            { permission: string({ required: true }) },
            { blocks: { grantee: granteeBlock(0) } },
          ),
          owner: listBlock(
            {
              display_name: string({ optional: true, computed: true }),
              id: string({ required: true }),
            },
            { minItems: 1, maxItems: 1 },
          ),
        },
      },
    ),
  },
  validators: [exactlyOneConfigured('access_control_policy', 'acl')],
  label: ({ bucket }) => bucket,

  plan(planning) {
    const { state, config, changed } = planning;
    const open = config.access_control_policy.length === 0;
    if (open && (state === null || changed('acl'))) return { access_control_policy: unknown() };
    return computedBlocks(planning, 'access_control_policy');
  },

  async create({ aws, object, plan, config }) {
    const { bucket, expected_bucket_owner: owner, acl } = plan;
    const id = [bucket, owner, acl].filter((part) => text(part) !== undefined).join(',');
    await object.operation('creating', () => put(aws, partsOf(id).to, config), {
      isRetryable: isBucketPropagating,
    });
    return id;
  },

  async find({ aws, id }) {
    return await aws.s3.getBucketAcl(partsOf(id).to);
  },

  read({ Grants, Owner }, { id }) {
    const { to, acl } = partsOf(id);
    const owner = Owner === undefined ? [] : [{ display_name: Owner.DisplayName, id: Owner.ID }];
    return {
      acl: acl ?? '',
      bucket: to.Bucket,
      expected_bucket_owner: to.ExpectedBucketOwner ?? '',
      access_control_policy: [{ grant: foundGrants(Grants), owner }],
    };
  },

  async update({ aws, object, config, id }) {
    const { to } = partsOf(id);
    await object.operation('updating', () => put(aws, to, config), whileBusy());
    return [to.Bucket, to.ExpectedBucketOwner, config.acl].filter(text).join(',');
  },

  // A bucket always has an ACL, so nothing is deleted.
  async delete() {},
});

/** Splits an ID: a bucket, its optional owner, and the name of a canned ACL. */
function partsOf(id: string): { readonly to: BucketOf; readonly acl: string | undefined } {
  const [Bucket = '', ...more] = id.split(',');
  const owner = more.find((part) => /^\d{12}$/.test(part));
  const to = owner === undefined ? { Bucket } : { Bucket, ExpectedBucketOwner: owner };
  return { to, acl: more.find((part) => part !== owner) };
}

async function put(
  { s3 }: RegionalAws,
  to: BucketOf,
  config: { readonly acl: string | null; readonly access_control_policy: readonly object[] },
): Promise<void> {
  const written = firstBlock(config.access_control_policy);
  const ACL = enumOf<'private'>(config.acl);
  if (written === undefined) await s3.putBucketAcl({ ...to, ...compact({ ACL }) });
  else {
    const owner = firstBlock(written['owner']) ?? {};
    const [ID, DisplayName] = [text(owner['id']), text(owner['display_name'])];
    const Grants = requestedGrants<'READ'>(many(written['grant']));
    const AccessControlPolicy = { Grants, Owner: compact({ ID, DisplayName }) };
    await s3.putBucketAcl({ ...to, AccessControlPolicy });
  }
}
