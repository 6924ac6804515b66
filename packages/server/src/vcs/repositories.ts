import type { Selectable } from 'kysely';
import type { Workspace } from '../access/place.ts';
import type { VcsRepositoryTable } from '../database/schema.ts';
import { invalid } from '../http/json-api.ts';
import { type ApiRequest, fields } from '../http/request.ts';
import { sendOutside } from '../services/outgoing.ts';
import { newId, randomText, type Services } from '../services/services.ts';
import { enqueue } from '../services/tasks.ts';
import { githubAppIn, installationToken } from './github-app.ts';
import type { RepositoryAccess, VcsProvider, VcsRequest } from './provider.ts';
import { vcsProvider } from './providers.ts';

export type Repository = Selectable<VcsRepositoryTable>;

/** The kind of the task that connects a repository, which `vcs/events` implements. */
export const CONNECT = 'vcs-connect';
const LARGEST_ANSWER = 4 * 1024 * 1024;

/** The connection of a workspace to version control, as its settings have it. */
export interface WorkspaceVcs {
  readonly identifier: string;
  /** empty: the default branch */
  readonly branch: string;
  readonly tokenId: string;
}

export function vcsOf({ settings }: Pick<Workspace, 'settings'>): WorkspaceVcs | undefined {
  const { identifier, branch, 'oauth-token-id': tokenId } = fields(settings['vcs-repo']);
  if (typeof identifier !== 'string' || typeof tokenId !== 'string') return undefined;
  return { identifier, tokenId, branch: typeof branch === 'string' ? branch : '' };
}

export const webhookUrl = ({ baseUrl }: Pick<Services, 'baseUrl'>, repositoryId: string): string =>
  `${baseUrl}/webhooks/vcs/${repositoryId}`;

/** Reads the setting `vcs-repo` of a request. Throws an ApiError; undefined if the request does not change it. */
export async function readVcsRepo(
  { services, input }: Pick<ApiRequest, 'services' | 'input'>,
  organizationId: string,
): Promise<Readonly<Record<string, unknown>> | null | undefined> {
  const value = input.attributes['vcs-repo'];
  if (value === undefined || value === null) return value;
  const { identifier, branch, 'oauth-token-id': tokenId, ...rest } = fields(value);
  if (typeof identifier !== 'string' || !/^[\w.-]+(\/[\w.-]+)+$/.test(identifier)) {
    throw invalid('vcs-repo', 'needs an identifier such as "owner/repository"');
  }
  if (identifier.split('/').some((part) => /^\.+$/.test(part))) {
    throw invalid('vcs-repo', 'needs an identifier such as "owner/repository"');
  }
  if (branch !== undefined && branch !== null && typeof branch !== 'string') {
    throw invalid('vcs-repo', 'has a branch that is not a string');
  }
  for (const name of ['ingress-submodules', 'tags-regex']) {
    if (rest[name] === true || (typeof rest[name] === 'string' && rest[name] !== '')) {
      throw invalid('vcs-repo', `cannot have ${name}, which is not supported`);
    }
  }
  const client = await services.db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_tokens.oauth_client_id')
    .select(['oauth_clients.service_provider', 'oauth_clients.http_url'])
    .where('oauth_tokens.id', '=', String(tokenId ?? ''))
    .where('oauth_clients.organization_id', '=', organizationId)
    .executeTakeFirst();
  if (client === undefined) {
    throw invalid('vcs-repo', 'needs the ID of an OAuth token of the organization');
  }
  return {
    identifier,
    branch: branch ?? '',
    'oauth-token-id': tokenId,
    'display-identifier': identifier,
    'ingress-submodules': false,
    'tags-regex': null,
    'repository-http-url': `${client.http_url}/${identifier}`,
    'service-provider': client.service_provider,
  };
}

/** Enqueues the connection of a workspace to its repository. */
export async function connectRepository(services: Services, workspace: Workspace): Promise<void> {
  const vcs = vcsOf(workspace);
  if (vcs === undefined) return;
  const { db } = services;
  const id = newId(services, 'whk');
  await db
    .insertInto('vcs_repositories')
    .values({
      id,
      oauth_token_id: vcs.tokenId,
      identifier: vcs.identifier,
      secret: services.sealing.seal(randomText(services.random, 40), id),
      hook_id: null,
      error: null,
      created_at: services.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['oauth_token_id', 'identifier']).doNothing())
    .execute();
  await enqueue(services, db, {
    kind: CONNECT,
    key: workspace.id,
    payload: { workspace: workspace.id },
  });
}

export async function repositoryOf(
  { db }: Pick<Services, 'db'>,
  { tokenId, identifier }: WorkspaceVcs,
): Promise<Repository | undefined> {
  return await db
    .selectFrom('vcs_repositories')
    .selectAll()
    .where('oauth_token_id', '=', tokenId)
    .where('identifier', '=', identifier)
    .executeTakeFirst();
}

export const secretOf = (
  { sealing }: Pick<Services, 'sealing'>,
  { id, secret }: Pick<Repository, 'id' | 'secret'>,
): string => sealing.open(secret, id).toString('utf8');

/** The API of the provider of a repository. */
export interface Connection {
  readonly provider: VcsProvider;
  readonly access: RepositoryAccess;
}

/** Opens the connection to the provider of a repository, with the token of the organization. */
export async function openRepository(
  services: Pick<Services, 'db' | 'sealing' | 'clock' | 'send' | 'issuedTokens'>,
  { oauth_token_id: tokenId, identifier }: Pick<Repository, 'oauth_token_id' | 'identifier'>,
): Promise<Connection> {
  const row = await services.db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_tokens.oauth_client_id')
    .select(['oauth_tokens.secret', 'oauth_clients.service_provider', 'oauth_clients.api_url'])
    .where('oauth_tokens.id', '=', tokenId)
    .executeTakeFirstOrThrow();
  const provider = vcsProvider(row.service_provider);
  const secret = services.sealing.open(row.secret, tokenId).toString('utf8');
  const access = { identifier, apiUrl: row.api_url };
  const app = githubAppIn(secret);
  if (app === undefined) return { provider, access: { ...access, token: secret } };
  const token = await installationToken(
    services,
    tokenId,
    app,
    access,
    async (request) => await jsonFromProvider(services, request),
  );
  return { provider, access: { ...access, token, isApp: true } };
}

/** Sends a request to a provider, and returns the body. Rejects for responses that are no success. */
export async function sendToProvider(
  services: Pick<Services, 'send'>,
  { url, ...request }: VcsRequest,
  limit: number = LARGEST_ANSWER,
): Promise<Buffer> {
  const answer = await sendOutside(services, url, { ...request, limit, timeoutMs: 60_000 });
  const body = Buffer.from(answer.body);
  if (answer.status >= 200 && answer.status < 300) return body;
  const { pathname } = new URL(url);
  const reason = body.toString('utf8').slice(0, 300);
  throw new ProviderError(
    answer.status,
    `${request.method ?? 'GET'} ${pathname} was answered with status ${answer.status}: ${reason}`,
  );
}

/** The response of a provider that is no success. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function jsonFromProvider(
  services: Pick<Services, 'send'>,
  request: VcsRequest,
): Promise<unknown> {
  return JSON.parse((await sendToProvider(services, request)).toString('utf8'));
}
