import type { Selectable } from 'kysely';
import type { OauthClientTable } from '../database/schema.ts';
import { invalid, notFound, type ApiResource, toMany, toOne } from '../http/json-api.ts';
import { listOf } from '../http/listing.ts';
import { type ApiRequest, created, type Input, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { outgoingUrl } from '../services/outgoing.ts';
import { newId } from '../services/services.ts';
import { encodeGithubApp, privateKeyProblem } from '../vcs/github-app.ts';
import { VCS_PROVIDERS } from '../vcs/providers.ts';
import { organizationOf } from './organizations.ts';

type OauthClient = Selectable<OauthClientTable>;

async function clientResource(
  { services, place }: ApiRequest,
  client: OauthClient,
): Promise<ApiResource<'oauth-clients'>> {
  const tokens = await services.db
    .selectFrom('oauth_tokens')
    .select('id')
    .where('oauth_client_id', '=', client.id)
    .execute();
  return {
    id: client.id,
    type: 'oauth-clients',
    attributes: {
      name: client.name === '' ? null : client.name,
      'service-provider': client.service_provider,
      'service-provider-display-name': client.service_provider,
      'http-url': client.http_url,
      'api-url': client.api_url,
      'connect-path': null,
      'callback-url': null,
      key: null,
      secret: null,
      'rsa-public-key': null,
      'organization-scoped': true,
      'created-at': client.created_at.toISOString(),
    },
    relationships: {
      organization: toOne('organizations', place.organization?.name),
      projects: { data: [] },
      'oauth-tokens': toMany(
        'oauth-tokens',
        tokens.map(({ id }) => id),
      ),
    },
    links: { self: `/api/v2/oauth-clients/${client.id}` },
  };
}

async function clientOf({ services, param }: ApiRequest): Promise<OauthClient> {
  const client = await services.db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', param('client'))
    .executeTakeFirst();
  if (client === undefined) throw notFound();
  return client;
}

interface Token {
  readonly id: string;
  readonly oauth_client_id: string;
  readonly created_at: Date;
}

/** Presents an OAuth token. Its text is never returned. */
const tokenResource = (token: Token): ApiResource<'oauth-tokens'> => ({
  id: token.id,
  type: 'oauth-tokens',
  attributes: {
    uid: token.id,
    'created-at': token.created_at.toISOString(),
    'service-provider-user': null,
    'has-ssh-key': false,
  },
  relationships: { 'oauth-client': toOne('oauth-clients', token.oauth_client_id) },
  links: { self: `/api/v2/oauth-tokens/${token.id}` },
});

async function tokenOf({ services, param }: ApiRequest): Promise<Token> {
  const token = await services.db
    .selectFrom('oauth_tokens')
    .select(['id', 'oauth_client_id', 'created_at'])
    .where('id', '=', param('token'))
    .executeTakeFirst();
  if (token === undefined) throw notFound();
  return token;
}

/**
 * Returns the credential of a request: an access token, or a GitHub App by its ID (`key`) and its `private-key`. Throws
 * an ApiError; undefined if there is none.
 */
function credentialOf(input: Input, kind: string): string | undefined {
  const [id, privateKey] = [input.text('key') ?? '', input.text('private-key') ?? ''];
  if (privateKey === '') return input.text('oauth-token-string');
  if (kind !== 'github' && kind !== 'github_enterprise') {
    throw invalid('private-key', 'is that of a GitHub App, which other providers do not have');
  }
  if (!/^[\w.]{1,64}$/.test(id)) throw invalid('key', 'has to be the ID of the GitHub App');
  const problem = privateKeyProblem(privateKey);
  if (problem !== undefined) throw invalid('private-key', problem);
  return encodeGithubApp({ id, privateKey });
}

async function create(request: ApiRequest) {
  const { services, input } = request;
  const kind = input.text('service-provider') ?? '';
  const existing = VCS_PROVIDERS[kind];
  if (existing === undefined) {
    throw invalid('service-provider', `has to be one of: ${Object.keys(VCS_PROVIDERS).join(', ')}`);
  }
  const text = credentialOf(input, kind) ?? '';
  if (text === '') {
    throw invalid('oauth-token-string', 'has to be an access token for the API of the provider');
  }
  const httpUrl = outgoingUrl('http-url', existing.httpUrl ?? input.text('http-url')).replace(
    /\/+$/,
    '',
  );
  const requestedApiUrl = existing.httpUrl === undefined ? input.text('api-url') : undefined;
  const apiUrl = outgoingUrl('api-url', requestedApiUrl ?? existing.apiUrl(httpUrl)).replace(
    /\/+$/,
    '',
  );
  const now = services.clock.now();
  const tokenId = newId(services, 'ot');
  const client = await services.db.transaction().execute(async (db) => {
    const row = await db
      .insertInto('oauth_clients')
      .values({
        id: newId(services, 'oc'),
        organization_id: organizationOf(request).id,
        service_provider: kind,
        name: input.text('name') ?? '',
        http_url: httpUrl,
        api_url: apiUrl,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await db
      .insertInto('oauth_tokens')
      .values({
        id: tokenId,
        oauth_client_id: row.id,
        secret: services.sealing.seal(text, tokenId),
        created_at: now,
      })
      .execute();
    return row;
  });
  await record(request, 'create', 'oauth-client', client.id);
  return created({ data: await clientResource(request, client) });
}

async function update(request: ApiRequest) {
  const { services, input } = request;
  const before = await clientOf(request);
  const text = credentialOf(input, before.service_provider);
  if (text !== undefined && text !== '') {
    const tokens = await services.db
      .selectFrom('oauth_tokens')
      .select('id')
      .where('oauth_client_id', '=', before.id)
      .execute();
    for (const { id } of tokens) {
      await services.db
        .updateTable('oauth_tokens')
        .set({ secret: services.sealing.seal(text, id) })
        .where('id', '=', id)
        .execute();
    }
  }
  const client = await services.db
    .updateTable('oauth_clients')
    .set({ name: input.text('name') ?? before.name })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'update', 'oauth-client', client.id);
  return ok({ data: await clientResource(request, client) });
}

async function record(
  request: ApiRequest,
  action: string,
  type: string,
  id: string,
): Promise<void> {
  const organizationId = request.place.organization?.id ?? null;
  await audit(request.services, request.principal, { organizationId, action, type, id });
}

const manageClient = inOrganization('organization:manage-vcs', 'client', 'oauth-client');
const manageToken = inOrganization('organization:manage-vcs', 'token', 'oauth-token');
const OF_ORGANIZATION = '/api/v2/organizations/:organization';

export const OAUTH_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: `${OF_ORGANIZATION}/oauth-clients`,
    rule: inOrganization('organization:manage-vcs'),
    handle: create,
  },
  {
    method: 'GET',
    path: `${OF_ORGANIZATION}/oauth-clients`,
    rule: inOrganization('organization:read'),
    handle: (request) =>
      listOf(
        request,
        request.services.db
          .selectFrom('oauth_clients')
          .selectAll()
          .where('organization_id', '=', organizationOf(request).id)
          .orderBy('created_at'),
        (row) => clientResource(request, row),
      ),
  },
  {
    method: 'GET',
    path: `${OF_ORGANIZATION}/oauth-tokens`,
    rule: inOrganization('organization:read'),
    handle: (request) =>
      listOf(
        request,
        request.services.db
          .selectFrom('oauth_tokens')
          .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_tokens.oauth_client_id')
          .select(['oauth_tokens.id', 'oauth_tokens.oauth_client_id', 'oauth_tokens.created_at'])
          .where('oauth_clients.organization_id', '=', organizationOf(request).id)
          .orderBy('oauth_tokens.created_at'),
        tokenResource,
      ),
  },
  {
    method: 'GET',
    path: '/api/v2/oauth-clients/:client',
    rule: inOrganization('organization:read', 'client', 'oauth-client'),
    handle: async (request) => ok({ data: await clientResource(request, await clientOf(request)) }),
  },
  { method: 'PATCH', path: '/api/v2/oauth-clients/:client', rule: manageClient, handle: update },
  {
    method: 'DELETE',
    path: '/api/v2/oauth-clients/:client',
    rule: manageClient,
    async handle(request) {
      const { id } = await clientOf(request);
      await request.services.db.deleteFrom('oauth_clients').where('id', '=', id).execute();
      await record(request, 'destroy', 'oauth-client', id);
      return NO_CONTENT;
    },
  },
  {
    method: 'GET',
    path: '/api/v2/oauth-clients/:client/oauth-tokens',
    rule: inOrganization('organization:read', 'client', 'oauth-client'),
    handle: (request) =>
      listOf(
        request,
        request.services.db
          .selectFrom('oauth_tokens')
          .select(['id', 'oauth_client_id', 'created_at'])
          .where('oauth_client_id', '=', request.param('client'))
          .orderBy('created_at'),
        tokenResource,
      ),
  },
  {
    method: 'GET',
    path: '/api/v2/oauth-tokens/:token',
    rule: inOrganization('organization:read', 'token', 'oauth-token'),
    handle: async (request) => ok({ data: tokenResource(await tokenOf(request)) }),
  },
  {
    method: 'DELETE',
    path: '/api/v2/oauth-tokens/:token',
    rule: manageToken,
    async handle(request) {
      const { id } = await tokenOf(request);
      await request.services.db.deleteFrom('oauth_tokens').where('id', '=', id).execute();
      await record(request, 'destroy', 'oauth-token', id);
      return NO_CONTENT;
    },
  },
];
