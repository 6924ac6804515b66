import type { Organization } from '../access/place.ts';
import { invalid, type Resource } from '../http/json-api.ts';
import { listOfRows } from '../http/listing.ts';
import { type ApiRequest, fields, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import {
  longestLife,
  outlives,
  TOKEN_TTL,
  TTL_TYPES,
  USUAL_TTL_MS,
} from '../services/token-ttl.ts';
import { organizationOf } from './organizations.ts';

const LEAST_MS = 60_000;

/** Presents the policy of each type of tokens. */
function policiesOf(organization: Organization): readonly Resource[] {
  return TTL_TYPES.map((type) => {
    const { 'created-at': created, 'updated-at': updated } = fields(
      fields(organization.settings[TOKEN_TTL])[type],
    );
    const since = organization.created_at.toISOString();
    return {
      id: `ttl-${organization.id.replace('org-', '')}-${type}`,
      type: 'organization-token-ttl-policies',
      attributes: {
        'token-type': type,
        'max-ttl-ms': longestLife(organization, type) ?? USUAL_TTL_MS,
        'created-at': created ?? since,
        'updated-at': updated ?? since,
      },
    };
  });
}

async function update(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const list = input.attributes[TOKEN_TTL];
  if (!Array.isArray(list) || list.length === 0) throw invalid(TOKEN_TTL, "can't be blank");
  const known = fields(organization.settings[TOKEN_TTL]);
  const policies: Record<string, unknown> = { ...known };
  const now = services.clock.now().toISOString();
  for (const each of list as readonly unknown[]) {
    const { 'token-type': name, 'max-ttl-ms': longest } = fields(each);
    const type = TTL_TYPES.find((known) => known === name);
    if (type === undefined) {
      throw invalid('token-type', `has to be one of: ${TTL_TYPES.join(', ')}`);
    }
    if (typeof longest !== 'number' || !Number.isSafeInteger(longest) || longest < LEAST_MS) {
      throw invalid('max-ttl-ms', `has to be a number of milliseconds, at least ${LEAST_MS}`);
    }
    // Nobody could take the change back with the token that made it.
    if (type === 'user' && (await outlives(services, principal, longest))) {
      throw invalid(
        'max-ttl-ms',
        "is shorter than the life of the user's token that sends this request, which would lose its access to the organization. " +
          'Send the request with a token that expires within this time, or with a token of the owners team or the organization.',
      );
    }
    const created = fields(known[type])['created-at'] ?? now;
    policies[type] = { 'max-ttl-ms': longest, 'created-at': created, 'updated-at': now };
  }
  const updated = await services.db
    .updateTable('organizations')
    .set({ settings: JSON.stringify({ ...organization.settings, [TOKEN_TTL]: policies }) })
    .where('id', '=', organization.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'update',
    type: 'token-ttl-policy',
    id: organization.id,
  });
  return ok({ data: policiesOf(updated) });
}

const PATH = '/api/v2/organizations/:organization/token-ttl-policies';

/** The longest lives of the tokens that have access to an organization. */
export const TOKEN_TTL_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: PATH,
    rule: inOrganization('organization:read'),
    handle: (request) =>
      listOfRows(request, policiesOf(organizationOf(request)), (policy) => policy),
  },
  { method: 'PATCH', path: PATH, rule: inOrganization('organization:admin'), handle: update },
];
