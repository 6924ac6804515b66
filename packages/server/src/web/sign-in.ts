import type { ApiError } from '../http/json-api.ts';
import type { Answer, ApiRequest } from '../http/request.ts';
import type { ErrorPage } from '../http/route.ts';
import { endedSessionCookie, sessionCookie } from '../http/session-cookie.ts';
import { audit } from '../services/audit.ts';
import { endSession, startSession } from '../services/sessions.ts';
import { html, statusText } from './html.ts';
import { formOf, PAGE_HEADERS, pageAnswer, seeOther } from './layout.ts';
import { SIGN_IN_PATH, SINGLE_SIGN_ON_PATH } from './paths.ts';

/** Returns the page to open after the sign-in: always one of this server. */
export function targetOf({ url }: Pick<ApiRequest, 'url'>, text: string | null): string {
  if (text === null) return '/app';
  try {
    const target = new URL(text, url.origin);
    const isPage = target.pathname === '/app' || target.pathname.startsWith('/app/');
    if (target.origin !== url.origin || !isPage || target.pathname.startsWith('/app/-/')) {
      return '/app';
    }
    return `${target.pathname}${target.search}`;
  } catch {
    return '/app';
  }
}

async function form(
  target: string,
  status: number,
  problem = '',
  hasSingleSignOn = false,
): Promise<Answer> {
  return await pageAnswer({
    title: 'Sign in',
    status,
    body: html`${
        hasSingleSignOn &&
        html`<p>
          <a href="${SINGLE_SIGN_ON_PATH}?to=${encodeURIComponent(target)}"
            >Sign in with single sign-on</a
          >
        </p>`
      }
      <p>
        Enter an API token of your user. It is not stored in this browser; the session ends after 12
        hours, or when the token is deleted.
      </p>
      ${problem !== '' && html`<p role="alert" class="problem">${problem}</p>`}
      <form method="post" action="${SIGN_IN_PATH}" class="stacked">
        <label for="token">API token</label>
        <input id="token" name="token" type="password" required autofocus autocomplete="off" />
        <input type="hidden" name="to" value="${target}" />
        <button class="primary">Sign in</button>
      </form>`,
  });
}

export function signInPage(request: ApiRequest): Promise<Answer> {
  const { services, query } = request;
  const hasSingleSignOn = services.singleSignOn !== undefined;
  return form(targetOf(request, query.get('to')), 200, '', hasSingleSignOn);
}

export async function signIn(request: ApiRequest): Promise<Answer> {
  const { services } = request;
  const fieldsOfForm = formOf(request);
  const target = targetOf(request, fieldsOfForm.get('to'));
  const session = await startSession(services, (fieldsOfForm.get('token') ?? '').trim());
  if (session === undefined || session.principal.kind !== 'user') {
    return await form(
      target,
      400,
      'The token is not a valid token of a user.',
      services.singleSignOn !== undefined,
    );
  }
  await audit(services, session.principal, {
    organizationId: null,
    action: 'sign-in',
    type: 'user',
    id: session.principal.user.id,
  });
  return seeOther(target, { 'set-cookie': sessionCookie(services, session.token) });
}

export async function signOut({ services, principal }: ApiRequest): Promise<Answer> {
  await endSession(services, principal);
  return seeOther(SIGN_IN_PATH, { 'set-cookie': endedSessionCookie(services) });
}

/** Renders an error: the form to sign in if that is missing, and otherwise its text. */
export const errorPage: ErrorPage = async (error, request) => {
  const { status, detail } = error;
  if (status === 401 && request.headers.get('authorization') === null) {
    // A link on another site brings no cookie of a session. Loaded from here, the page does.
    if (request.method === 'GET' && request.headers.get('sec-fetch-site') === 'cross-site') {
      const { pathname, search } = request.url;
      return {
        status,
        body: String(
          await html`<!doctype html>
            <html lang="en">
              <meta charset="utf-8" />
              <meta http-equiv="refresh" content="0; url=${pathname}${search}" />
              <title>Terrane</title>
              <p><a href="${pathname}${search}">Continue</a></p>
            </html>`,
        ),
        contentType: 'text/html; charset=utf-8',
        headers: PAGE_HEADERS,
      };
    }
    const target = request.method === 'GET' ? request.url.href : null;
    return await form(targetOf(request, target), status, '', request.hasSingleSignOn);
  }
  return await pageAnswer({
    title: titleOf(error),
    status,
    body: html`<p role="alert" class="problem">${detail}</p>
      <p><a href="/app">All organizations</a></p>`,
  });
};

const titleOf = ({ status, title }: ApiError): string =>
  status === 404 ? 'Not found' : statusText(title);
