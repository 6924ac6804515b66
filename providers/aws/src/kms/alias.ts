import { minutes, NotFoundError, type Resource, string, unknown } from '@terrane/provider/sdk';
import type { AliasListEntry } from '@aws-sdk/client-kms';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional } from '../resource/common-attributes.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { omitUnset } from '../resource/only.ts';
import { NO_KEY } from './consts.ts';
import { matches } from '../resource/validators.ts';
import { listing } from '../resource/listing.ts';

const VALID_NAME = matches(
  /^alias\/[0-9A-Za-z_/-]+$/,
  'must begin with "alias/" and contain only letters, digits, "/", "_" and "-"',
);
const NOT_RESERVED = matches(/^(?!alias\/aws\/)/, 'must not begin with "alias/aws/"');

/** `aws_kms_alias` */
export const alias: Resource<Aws> = awsResource({
  type: 'KMS Alias',
  identity: 'name',
  list: listing(
    (aws, Marker) => aws.kms.listAliases({ Marker }),
    ({ Aliases }) => Aliases,
    ({ AliasName: id, TargetKeyId }) =>
      id === undefined || TargetKeyId === undefined || id.startsWith('alias/aws/')
        ? undefined
        : { id },
    ({ NextMarker }) => NextMarker,
  ),
  notFound: NO_KEY,
  attributes: {
    ...regional,
    ...arn,
    name: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [VALID_NAME, NOT_RESERVED],
    }),
    name_prefix: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [VALID_NAME, NOT_RESERVED],
    }),
    target_key_arn: string({ computed: true }),
    target_key_id: string({ required: true, semanticEquals: sameKey }),
  },

  plan: ({ changed, state }) =>
    state !== null && changed('target_key_id') ? { target_key_arn: unknown() } : undefined,

  async create({ aws, object, plan }) {
    const prefix = omitUnset({ prefix: plan.name_prefix }).prefix ?? 'alias/';
    const name = nameOf(aws, { name: plan.name, name_prefix: prefix });
    await object.operation(
      'creating',
      () => aws.kms.createAlias({ AliasName: name, TargetKeyId: plan.target_key_id }),
      { propagation: minutes(10), isRetryable: (error) => hasCode(error, ...NO_KEY) },
    );
    return name;
  },

  find: ({ aws, id }) => aliasOf(aws, id),

  read(alias) {
    const [aliasArn = '', key = ''] = [alias.AliasArn, alias.TargetKeyId];
    return {
      arn: aliasArn,
      name: alias.AliasName,
      name_prefix: prefixOf(alias.AliasName ?? '') ?? '',
      target_key_id: key,
      target_key_arn: aliasArn.replace(/:alias\/.*$/, `:key/${key}`),
    };
  },

  async update({ aws, plan, changed, id }) {
    if (!changed('target_key_id')) return;
    await aws.kms.updateAlias({ AliasName: id, TargetKeyId: plan.target_key_id });
  },

  async delete({ aws, id }) {
    await aws.kms.deleteAlias({ AliasName: id });
  },
});

/** Finds an alias by its name; the API can only list all. */
async function aliasOf(aws: RegionalAws, name: string): Promise<AliasListEntry> {
  let Marker: string | undefined;
  do {
    const page = await aws.kms.listAliases(omitUnset({ Marker }));
    const alias = page.Aliases?.find(({ AliasName }) => AliasName === name);
    if (alias !== undefined) return alias;
    Marker = page.NextMarker;
  } while (Marker !== undefined && Marker !== '');
  throw new NotFoundError({ message: 'empty result' });
}

/** Returns true if two texts identify the same key, by its id or its ARN. */
function sameKey(before: string, after: string): boolean {
  const id = (text: string): string => text.replace(/^arn:[^:]*:kms:[^:]*:[^:]*:key\//, '');
  const both = before.startsWith('arn:') && after.startsWith('arn:');
  return both ? before === after : id(before) === id(after);
}
