import { ApiError, notFound } from '../http/json-api.ts';
import type { Answer, ApiRequest } from '../http/request.ts';
import { fields } from '../http/request.ts';
import { sessionCookie } from '../http/session-cookie.ts';
import { audit } from '../services/audit.ts';
import { startSessionOf } from '../services/sessions.ts';
import type { SignInAttempt } from '../services/sign-on.ts';
import { synchronizeTeams, userOfIdentity } from '../services/single-sign-on.ts';
import { seeOther } from './layout.ts';
import { targetOf } from './sign-in.ts';

const COOKIE_SECONDS = 600;

const cookieName = ({ baseUrl }: ApiRequest['services']): string =>
  baseUrl.startsWith('https:') ? '__Host-terrane-sso' : 'terrane-sso';

/** The cookie of an attempt. It is `Lax`, because the answer of the provider comes from another site. */
function attemptCookie(services: ApiRequest['services'], value: string, maxAge: number): string {
  const secure = services.baseUrl.startsWith('https:') ? ' Secure;' : '';
  return `${cookieName(services)}=${value}; Path=/; HttpOnly;${secure} SameSite=Lax; Max-Age=${maxAge}`;
}

/** Sends the browser to the identity provider. */
export async function beginSingleSignOn(request: ApiRequest): Promise<Answer> {
  const { services, query } = request;
  if (services.singleSignOn === undefined) throw notFound();
  const target = targetOf(request, query.get('to'));
  const { url, attempt } = await services.singleSignOn.begin(target);
  const expires = services.clock.now().getTime() + COOKIE_SECONDS * 1000;
  const value = services.sealing
    .seal(JSON.stringify({ ...attempt, expires }), 'single sign-on')
    .toString('base64url');
  return seeOther(url.href, { 'set-cookie': attemptCookie(services, value, COOKIE_SECONDS) });
}

/** Returns the attempt of the browser; undefined if it has none, or began too long ago. */
function attemptOf({ services, headers }: ApiRequest): SignInAttempt | undefined {
  const prefix = `${cookieName(services)}=`;
  const value = (headers.get('cookie') ?? '')
    .split(/;\s*/)
    .find((each) => each.startsWith(prefix))
    ?.slice(prefix.length);
  if (value === undefined || value === '') return undefined;
  try {
    const text = services.sealing.open(Buffer.from(value, 'base64url'), 'single sign-on');
    const { state, nonce, verifier, target, expires } = fields(JSON.parse(text.toString('utf8')));
    if (Number(expires) < services.clock.now().getTime()) return undefined;
    return {
      state: String(state),
      nonce: String(nonce),
      verifier: String(verifier),
      target: String(target),
    };
  } catch {
    // any-error: a cookie that this server did not write.
    return undefined;
  }
}

/** Signs in the user that the identity provider has authenticated. */
export async function finishSingleSignOn(request: ApiRequest): Promise<Answer> {
  const { services, url } = request;
  if (services.singleSignOn === undefined) throw notFound();
  const attempt = attemptOf(request);
  if (attempt === undefined) {
    throw new ApiError(
      403,
      'sign-in failed',
      'The sign-in was not started in this browser, or took longer than ten minutes. Start it again.',
    );
  }
  const identity = await services.singleSignOn.finish(url.search, attempt);
  const user = await userOfIdentity(services, identity);
  if (user === undefined) {
    throw new ApiError(
      403,
      'sign-in failed',
      'The identity provider has not verified the e-mail address of the user, and no account is linked to the user. Verify the address with the identity provider, and sign in again.',
    );
  }
  await synchronizeTeams(services, user.id, identity.groups);
  const session = await startSessionOf(services, user.id);
  await audit(
    services,
    { kind: 'user', user, tokenId: '' },
    {
      organizationId: null,
      action: 'sign-in',
      type: 'user',
      id: user.id,
      details: { method: 'single sign-on', issuer: identity.issuer },
    },
  );
  return seeOther(attempt.target, { 'set-cookie': sessionCookie(services, session) });
}
