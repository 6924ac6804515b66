import { createHash } from 'node:crypto';
import { ApiError } from '../http/json-api.ts';
import { type ApiRequest, NO_CONTENT } from '../http/request.ts';
import { PUBLIC, type Route } from '../http/route.ts';
import { tokenHash } from '../services/sealing.ts';
import { issueToken } from '../services/tokens.ts';

/** The services of the protocol for discovery. */
const SERVICES: Readonly<Record<string, unknown>> = {
  'login.v1': {
    client: 'terraform-cli',
    grant_types: ['authz_code'],
    authz: '/app/oauth2/auth',
    token: '/oauth/token',
    ports: [10_000, 10_010],
  },
  'modules.v1': '/api/registry/v1/modules/',
  'providers.v1': '/api/registry/v1/providers/',
  'state.v2': '/api/v2/',
  'tfe.v2': '/api/v2/',
  'tfe.v2.1': '/api/v2/',
  'tfe.v2.2': '/api/v2/',
};

/** Exchanges the code of `terraform login` for a token of the user (RFC 6749 and 7636). */
async function exchangeCode({ services, bytes }: ApiRequest) {
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  const refuse = (error: string): ApiError => new ApiError(400, error, error);
  if (form.get('grant_type') !== 'authorization_code') throw refuse('unsupported_grant_type');
  const code = await services.db
    .deleteFrom('login_codes')
    .where('hash', '=', tokenHash(form.get('code') ?? ''))
    .returningAll()
    .executeTakeFirst();
  if (code === undefined || code.expires_at < services.clock.now()) throw refuse('invalid_grant');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight =
    challenge === code.challenge &&
    form.get('client_id') === code.client_id &&
    form.get('redirect_uri') === code.redirect_uri;
  if (!isRight) throw refuse('invalid_grant');
  const { token } = await issueToken(services, {
    kind: 'user',
    ownerId: code.user_id,
    description: 'terraform login',
    createdBy: code.user_id,
    expiresAt: null,
  });
  return {
    document: { access_token: token, token_type: 'Bearer' },
    contentType: 'application/json',
  };
}

export const DISCOVERY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/.well-known/terraform.json',
    rule: PUBLIC,
    handle: () => ({ document: SERVICES, contentType: 'application/json' }),
  },
  { method: 'GET', path: '/api/v2/ping', rule: PUBLIC, handle: () => NO_CONTENT },
  {
    method: 'GET',
    path: '/_health_check',
    rule: PUBLIC,
    async handle({ services }) {
      await services.db.selectFrom('settings').select('name').limit(1).execute();
      return { document: { status: 'ok' }, contentType: 'application/json' };
    },
  },
  { method: 'POST', path: '/oauth/token', rule: PUBLIC, handle: exchangeCode },
];
