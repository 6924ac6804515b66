import type { Organization } from '../access/place.ts';
import type { Principal } from '../access/principal.ts';
import { fields } from '../http/request.ts';
import type { Services } from './services.ts';

/** The setting of an organization with the longest lives of its tokens, in milliseconds by their types. */
export const TOKEN_TTL = 'token-ttl-policies';

/** Types of tokens by their names in the API. */
export const TTL_TYPES = ['organization', 'team', 'user', 'audit_trails'] as const;
export type TtlType = (typeof TTL_TYPES)[number];

/** The longest life of a token without a policy: two years of 365.24 days, as HCP Terraform has. */
export const USUAL_TTL_MS = 63_113_904_000;

/** Returns the longest life of tokens of a type; undefined if the organization has no policy. */
export function longestLife(
  { settings }: Pick<Organization, 'settings'>,
  type: TtlType,
): number | undefined {
  const value = fields(fields(settings[TOKEN_TTL])[type])['max-ttl-ms'];
  return typeof value === 'number' ? value : undefined;
}

/** Returns true if a user sends a token that lives longer than the organization permits. */
export async function livesTooLong(
  { db }: Pick<Services, 'db'>,
  organization: Organization,
  principal: Principal,
): Promise<boolean> {
  // Sessions of browsers end after hours.
  if (principal.kind !== 'user' || principal.isSession === true) return false;
  const longest = longestLife(organization, 'user');
  if (longest === undefined) return false;
  const token = await db
    .selectFrom('tokens')
    .select(['created_at', 'expires_at'])
    .where('id', '=', principal.tokenId)
    .executeTakeFirst();
  if (token === undefined || token.expires_at === null) return true;
  return token.expires_at.getTime() - token.created_at.getTime() > longest;
}
