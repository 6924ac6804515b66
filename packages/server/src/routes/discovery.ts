import { createHash } from 'node:crypto';
import { principalOf } from '../access/principal.ts';
import { ApiError } from '../http/json-api.ts';
import { type ApiRequest, NO_CONTENT } from '../http/request.ts';
import { PUBLIC, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { tokenHash } from '../services/sealing.ts';
import { randomText } from '../services/services.ts';
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
  const isMatch =
    challenge === code.challenge &&
    form.get('client_id') === code.client_id &&
    form.get('redirect_uri') === code.redirect_uri;
  if (!isMatch) throw refuse('invalid_grant');
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

const CONTENT_SECURITY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
const CODE_VALID_MS = 5 * 60_000;
const PARAMETERS = ['client_id', 'redirect_uri', 'state', 'code_challenge'] as const;

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`);
}

/** The page on which a user permits `terraform login` to obtain a token, by entering an existing one. */
function loginPage(form: URLSearchParams, problem: string) {
  const hidden = PARAMETERS.map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(form.get(name) ?? '')}">`,
  ).join('');
  const message = problem === '' ? '' : `<p role="alert">${escapeHtml(problem)}</p>`;
  return {
    status: problem === '' ? 200 : 400,
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in - Terrane</title><style>:root{color-scheme:light dark;font:16px system-ui}body{max-width:30rem;margin:10vh auto;padding:0 1rem}input,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;margin-top:.5rem}</style><h1>Sign in</h1><p>A program on your machine asks for access to this server. Enter one of your API tokens; the program receives a new token of your own.</p>${message}<form method="post" action="/app/oauth2/auth"><label>API token<input type="password" name="token" required autofocus autocomplete="off"></label>${hidden}<button>Permit access</button></form></html>`,
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': CONTENT_SECURITY, 'referrer-policy': 'no-referrer' },
  };
}

/** Issues a code to the program that waits on this machine's loopback interface. */
async function permitLogin({ services, bytes }: ApiRequest) {
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  const [client = '', redirect = '', state = '', challenge = ''] = PARAMETERS.map(
    (name) => form.get(name) ?? '',
  );
  // A code is only sent to the loopback interface: the redirect URI of a malicious link could name another site.
  if (!/^http:\/\/(?:localhost|127\.0\.0\.1):\d{1,5}\/login$/.test(redirect) || challenge === '') {
    return loginPage(form, 'The request of the program is invalid. Start the login again.');
  }
  const principal = await principalOf(services, form.get('token') ?? '');
  if (principal?.kind !== 'user') return loginPage(form, 'The token is not that of a user.');
  const code = randomText(services.random, 48);
  await services.db
    .insertInto('login_codes')
    .values({
      hash: tokenHash(code),
      user_id: principal.user.id,
      client_id: client,
      redirect_uri: redirect,
      challenge,
      expires_at: new Date(services.clock.now().getTime() + CODE_VALID_MS),
    })
    .execute();
  await audit(services, principal, {
    organizationId: null,
    action: 'login',
    type: 'user',
    id: principal.user.id,
  });
  const target = `${redirect}?${new URLSearchParams({ code, state }).toString()}`;
  return { status: 303, headers: { location: target } };
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
  {
    method: 'GET',
    path: '/app/oauth2/auth',
    rule: PUBLIC,
    handle: ({ query }) => loginPage(query, ''),
  },
  { method: 'POST', path: '/app/oauth2/auth', rule: PUBLIC, handle: permitLogin },
  { method: 'POST', path: '/oauth/token', rule: PUBLIC, handle: exchangeCode },
];
