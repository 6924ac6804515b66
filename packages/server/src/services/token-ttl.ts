import type { Organization } from '../access/place.ts';
import type { Principal } from '../access/principal.ts';
import { fields } from '../http/request.ts';
import type { Services } from './services.ts';

/** The setting of an organization with the longest lives of its tokens, in milliseconds by their types. */
export const TOKEN_TTL = 'token-ttl-policies';

/** The setting of an organization that ends the access of all tokens of users if it is false. */
export const USER_TOKENS = 'user-tokens-enabled';

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

/**
 * Returns true if an organization does not accept the token that a user sends: it accepts none, or none that lives as
 * long.
 */
export async function refusesToken(
  services: Pick<Services, 'db'>,
  organization: Organization,
  principal: Principal,
): Promise<boolean> {
  if (isUserToken(principal) && organization.settings[USER_TOKENS] === false) return true;
  const longest = longestLife(organization, 'user');
  return longest !== undefined && (await outlives(services, principal, longest));
}

/** Returns true if a user sends an API token that lives longer than a number of milliseconds. */
export async function outlives(
  { db }: Pick<Services, 'db'>,
  principal: Principal,
  longest: number,
): Promise<boolean> {
  if (!isUserToken(principal)) return false;
  const token = await db
    .selectFrom('tokens')
    .select(['created_at', 'expires_at'])
    .where('id', '=', principal.tokenId)
    .executeTakeFirst();
  if (token === undefined || token.expires_at === null) return true;
  return token.expires_at.getTime() - token.created_at.getTime() > longest;
}

/** Returns true if a request was sent with an API token of a user. Sessions of browsers, which end after hours, have none. */
export const isUserToken = (
  principal: Principal,
): principal is Extract<Principal, { readonly kind: 'user' }> =>
  principal.kind === 'user' && principal.isSession !== true;
