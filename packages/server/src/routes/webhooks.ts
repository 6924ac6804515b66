import { createHash } from 'node:crypto';
import { parseDocument } from '../http/bounded-json.ts';
import { notFound } from '../http/json-api.ts';
import { type ApiRequest, NO_CONTENT } from '../http/request.ts';
import { PUBLIC, type Route } from '../http/route.ts';
import { enqueue } from '../services/tasks.ts';
import { isCommand } from '../vcs/comment-commands.ts';
import { EVENT } from '../vcs/events.ts';
import { vcsProvider } from '../vcs/providers.ts';
import { secretOf } from '../vcs/repositories.ts';

/** Bodies are kept until their signature is verified, so that they are limited. */
const LARGEST_BODY = 4 * 1024 * 1024;

/** Receives an event of a repository. Answers as to an unknown one if the event is not signed with its secret. */
async function receive({ services, param, headers, bytes }: ApiRequest) {
  const { db } = services;
  const repository = await db
    .selectFrom('vcs_repositories')
    .innerJoin('oauth_tokens', 'oauth_tokens.id', 'vcs_repositories.oauth_token_id')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_tokens.oauth_client_id')
    .select(['vcs_repositories.id', 'vcs_repositories.secret', 'oauth_clients.service_provider'])
    .where('vcs_repositories.id', '=', param('repository'))
    .executeTakeFirst();
  if (repository === undefined) throw notFound();
  const provider = vcsProvider(repository.service_provider);
  const secret = secretOf(services, repository);
  if (!provider.isAuthentic(headers, bytes, secret)) throw notFound();
  const event = provider.parse(headers, parseJsonBytes(bytes));
  if (event === undefined || (event.kind === 'comment' && !isCommand(event))) return NO_CONTENT;
  await enqueue(services, db, {
    kind: EVENT,
    key: createHash('sha256').update(repository.id).update(bytes).digest('hex'),
    payload: { repository: repository.id, event },
  });
  return { status: 202 };
}

function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return parseDocument(bytes);
  } catch {
    return undefined;
  }
}

export const WEBHOOK_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/webhooks/vcs/:repository',
    // The signature of the event is verified instead of a token.
    rule: PUBLIC,
    limit: LARGEST_BODY,
    handle: receive,
  },
];
