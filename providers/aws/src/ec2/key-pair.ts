import { type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { only } from '../resource/only.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { conflicting } from '../resource/validators.ts';

/** `aws_key_pair` */
export const keyPair: Resource<Aws> = awsResource({
  type: 'EC2 Key Pair',
  notFound: ['InvalidKeyPair.NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    fingerprint: string({ computed: true }),
    key_name: string({ optional: true, computed: true, requiresReplace: true }),
    key_name_prefix: string({ optional: true, computed: true, requiresReplace: true }),
    key_pair_id: string({ computed: true }),
    key_type: string({ computed: true }),
    public_key: string({
      required: true,
      // White space around a key is insignificant, and removed by an import.
      requiresReplace: ({ prior, planned }) =>
        prior !== null && typeof planned === 'string' && prior.trim() !== planned.trim(),
    }),
  },
  validators: [conflicting('key_name', 'key_name_prefix')],
  label: ({ key_name }) => (typeof key_name === 'string' ? key_name : 'new'),

  async create({ aws, plan, tags }) {
    const names = { name: plan.key_name, name_prefix: plan.key_name_prefix };
    const { KeyName } = await aws.ec2.importKeyPair({
      KeyName: nameOf(aws, names),
      PublicKeyMaterial: new TextEncoder().encode(plan.public_key),
      TagSpecifications: tagSpecifications('key-pair', tags),
    });
    return KeyName ?? '';
  },

  find: async ({ aws, id }) => {
    const { KeyPairs } = await aws.ec2.describeKeyPairs({ KeyNames: [id] });
    return only(KeyPairs);
  },

  read: (pair, { aws, id }) => ({
    arn: aws.arn('ec2', `key-pair/${id}`),
    fingerprint: pair.KeyFingerprint ?? '',
    key_name: pair.KeyName,
    key_name_prefix: prefixOf(id) ?? '',
    key_pair_id: pair.KeyPairId ?? '',
    key_type: pair.KeyType ?? '',
    tags: pair.Tags ?? [],
  }),

  // Its tags use another ID than the resource.
  retag: ({ aws, state }, change) => ec2Retag({ aws, id: state.key_pair_id }, change),

  async delete({ aws, id }) {
    await aws.ec2.deleteKeyPair({ KeyName: id });
  },
});
