import type { Grant, Grantee, TargetGrant } from '@aws-sdk/client-s3';
import { listBlock, type ManyBlockOf, string } from '@terrane/provider/sdk';
import { enumOf } from '../resource/enum-of.ts';
import { type Block, compact, firstBlock, record, text, texts } from '../resource/block-values.ts';

/** Returns the block of a grantee. */
export function granteeBlock(least: 0 | 1): ManyBlockOf<{}> {
  return listBlock(
    {
      display_name: string({ computed: true }),
      email_address: string({ optional: true }),
      id: string({ optional: true }),
      type: string({ required: true }),
      uri: string({ optional: true }),
    },
    { maxItems: 1, ...(least === 1 && { minItems: 1 }) },
  );
}

/** Returns the grants of a request from blocks: one permission for one grantee each. */
export function requestedGrants<P extends string>(
  grants: readonly object[],
): { Grantee?: Grantee; Permission?: P }[] {
  return grants.map(record).map((grant) => {
    const to = firstBlock(grant['grantee']);
    return compact({
      Grantee: to && requestedGrantee(to),
      Permission: enumOf<P>(grant['permission']),
    });
  });
}

/** Grants as the state has them, one permission each. */
export function foundGrants(
  grants: readonly (Grant | TargetGrant)[] | undefined,
): readonly { readonly permission: string | undefined; readonly grantee: readonly object[] }[] {
  return (grants ?? []).map(({ Grantee: to, Permission }) => ({
    permission: Permission,
    grantee: to === undefined ? [] : [{ ...foundGrantee(to), email_address: to.EmailAddress }],
  }));
}

/** Grants as the older block of a bucket has them: all permissions of a grantee in one. */
export function requestedOlderGrants(grants: readonly object[]): Grant[] {
  return grants.map(record).flatMap((grant) =>
    texts(grant['permissions']).map((permission) => ({
      Grantee: requestedGrantee(grant),
      Permission: enumOf<'READ'>(permission),
    })),
  );
}

/** Returns the grants of the older block; see {@link foundGrants}. */
export function foundOlderGrants(grants: readonly Grant[] | undefined): readonly object[] {
  const byGrantee = new Map<string, { readonly to: Grantee; readonly permissions: string[] }>();
  for (const { Grantee: to, Permission } of grants ?? []) {
    if (to === undefined) continue;
    const key = JSON.stringify([to.Type, to.ID, to.URI]);
    const existing = byGrantee.get(key) ?? { to, permissions: [] };
    if (Permission !== undefined) existing.permissions.push(Permission);
    byGrantee.set(key, existing);
  }
  return [...byGrantee.values()].map(({ to, permissions }) => ({
    id: to.ID ?? '',
    type: to.Type,
    uri: to.URI ?? '',
    permissions,
  }));
}

function requestedGrantee(to: Block): Grantee {
  return {
    Type: enumOf<'Group'>(text(to['type']) ?? ''),
    ...compact({
      EmailAddress: text(to['email_address']),
      ID: text(to['id']),
      URI: text(to['uri']),
    }),
  };
}

function foundGrantee(to: Grantee): object {
  return { display_name: to.DisplayName, id: to.ID, type: to.Type, uri: to.URI };
}
