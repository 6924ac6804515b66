import { createHash } from 'node:crypto';
import { principalOf } from '../access/principal.ts';
import { ApiError } from '../http/json-api.ts';
import { type Answer, type ApiRequest, NO_CONTENT } from '../http/request.ts';
import { PUBLIC, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { tokenHash } from '../services/sealing.ts';
import { randomText } from '../services/services.ts';
import { issueToken } from '../services/tokens.ts';
import { issuerMetadata, publicKeys } from '../services/workload-identity.ts';
import { FORM_TOKEN } from '../http/session-cookie.ts';
import { html } from '../web/html.ts';
import { PAGE_HEADERS, pageAnswer, tokenField } from '../web/layout.ts';
import { errorPage } from '../web/sign-in.ts';
import { SINGLE_SIGN_ON_PATH } from '../web/paths.ts';

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

// The answer to the form leads to the program on the loopback interface. Browsers apply `form-action` to it.
const CONTENT_SECURITY =
  "default-src 'none'; style-src 'self'; form-action 'self' http://localhost:* http://127.0.0.1:*; frame-ancestors 'none'; base-uri 'none'";
const CODE_VALID_MS = 5 * 60_000;
const PARAMETERS = ['client_id', 'redirect_uri', 'state', 'code_challenge'] as const;

/** The page on which a user permits `terraform login` to obtain a token, by entering an existing one. */
async function loginPage(
  request: ApiRequest,
  form: URLSearchParams,
  problem: string,
): Promise<Answer> {
  const { services, principal } = request;
  const values = PARAMETERS.map((name) => [name, form.get(name) ?? '']);
  const target = `/app/oauth2/auth?${new URLSearchParams(values).toString()}`;
  const page = await pageAnswer({
    title: 'Permit access',
    status: problem === '' ? 200 : 400,
    body: html`<p>
        A program on your machine asks for access to this server. It receives a new token of your
        own. Continue only if you have just started its <code>login</code> command.
      </p>
      ${problem !== '' && html`<p role="alert" class="problem">${problem}</p>`}
      ${
        principal.kind !== 'user' &&
        services.singleSignOn !== undefined &&
        html`<p>
          <a href="${SINGLE_SIGN_ON_PATH}?to=${encodeURIComponent(target)}"
            >Sign in with single sign-on</a
          >
        </p>`
      }
      <form method="post" action="/app/oauth2/auth" class="stacked">
        ${
          principal.kind === 'user'
            ? html`<p>You are signed in as ${principal.user.username}.</p>
                ${tokenField(request)}`
            : html`<label for="token">API token</label>
                <input
                  id="token"
                  name="token"
                  type="password"
                  required
                  autofocus
                  autocomplete="off"
                />`
        }
        ${values.map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        <button class="primary">Permit access</button>
      </form>`,
  });
  return { ...page, headers: { ...PAGE_HEADERS, 'content-security-policy': CONTENT_SECURITY } };
}

/** Issues a code to the program that waits on this machine's loopback interface. */
async function permitLogin(request: ApiRequest): Promise<Answer> {
  const { services, bytes } = request;
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  const [client = '', redirect = '', state = '', challenge = ''] = PARAMETERS.map(
    (name) => form.get(name) ?? '',
  );
  // A code is only sent to the loopback interface: the redirect URI of a malicious link could name another site.
  if (!/^http:\/\/(?:localhost|127\.0\.0\.1):\d{1,5}\/login$/.test(redirect) || challenge === '') {
    return await loginPage(
      request,
      form,
      'The request of the program is invalid. Start the login again.',
    );
  }
  const isOwnForm = request.formToken !== '' && form.get(FORM_TOKEN) === request.formToken;
  const principal = isOwnForm
    ? request.principal
    : await principalOf(services, form.get('token') ?? '');
  if (principal?.kind !== 'user' || (!isOwnForm && principal.isSession === true)) {
    return await loginPage(request, form, 'The token is not that of a user.');
  }
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
  {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    rule: PUBLIC,
    handle: ({ services }) => ({
      document: issuerMetadata(services),
      contentType: 'application/json',
    }),
  },
  {
    method: 'GET',
    path: '/.well-known/jwks',
    rule: PUBLIC,
    handle: async ({ services }) => ({
      document: await publicKeys(services),
      contentType: 'application/json',
    }),
  },
  { method: 'GET', path: '/api/v2/ping', rule: PUBLIC, handle: () => NO_CONTENT },
  {
    method: 'GET',
    path: '/app/oauth2/auth',
    rule: PUBLIC,
    handle: (request) => loginPage(request, request.query, ''),
    errorPage,
  },
  {
    method: 'POST',
    path: '/app/oauth2/auth',
    rule: PUBLIC,
    handle: permitLogin,
    errorPage,
  },
  { method: 'POST', path: '/oauth/token', rule: PUBLIC, handle: exchangeCode },
];
