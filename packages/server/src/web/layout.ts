import type { Answer, ApiRequest } from '../http/request.ts';
import { FORM_TOKEN } from '../http/session-cookie.ts';
import { type Html, html } from './html.ts';
import { SCRIPT_PATH, SIGN_OUT_PATH, STYLE_PATH } from './paths.ts';

/** The headers of every page. Styles and scripts are files of this server; nothing else is loaded. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Browsers send an `Origin` with forms only if the referrer is not suppressed within the site.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** A link above the heading of a page, from the outermost to the innermost. */
export interface Crumb {
  readonly text: string;
  readonly path: string;
}

/** The parts of a page that differ. */
export interface PageParts {
  readonly title: string;
  readonly crumbs?: readonly Crumb[];
  readonly body: Html;
  readonly status?: number;
  /** the name of the user who is signed in */
  readonly user?: string;
  /** the token of forms; the page has no form to sign out without it */
  readonly formToken?: string;
  /** true if the page has the script of the run page */
  readonly hasScript?: boolean;
}

/** Returns the response of a page. */
export async function pageAnswer(parts: PageParts): Promise<Answer> {
  const { title, crumbs = [], body, status, user, formToken = '', hasScript } = parts;
  const document = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - Terrane</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
        ${hasScript === true && html`<script src="${SCRIPT_PATH}" defer></script>`}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <a class="brand" href="/app">Terrane</a>
          ${user !== undefined && html`<span class="user">${user}</span>`}
          ${
            formToken !== '' &&
            html`<form method="post" action="${SIGN_OUT_PATH}">
              ${tokenField({ formToken })}<button class="quiet">Sign out</button>
            </form>`
          }
        </header>
        ${
          crumbs.length > 0 &&
          html`<nav aria-label="Breadcrumbs">
            <ol class="crumbs">
              ${crumbs.map(({ text, path }) => html`<li><a href="${path}">${text}</a></li>`)}
            </ol>
          </nav>`
        }
        <main id="content" tabindex="-1">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
  return {
    ...(status !== undefined && { status }),
    body: String(document),
    contentType: 'text/html; charset=utf-8',
    headers: PAGE_HEADERS,
  };
}

/** Returns the response of a page for the user of a request. */
export async function userPage(
  { principal, formToken }: ApiRequest,
  parts: PageParts,
): Promise<Answer> {
  const user = principal.kind === 'user' ? principal.user.username : principal.kind;
  return await pageAnswer({ user, formToken, ...parts });
}

/** The hidden field that every form for a session needs. */
export function tokenField({ formToken }: Pick<ApiRequest, 'formToken'>): Html {
  return html`<input type="hidden" name="${FORM_TOKEN}" value="${formToken}" />`;
}

/** A form that consists of a button. */
export function buttonForm(
  request: Pick<ApiRequest, 'formToken'>,
  action: string,
  label: string,
  kind: 'primary' | 'danger' | 'plain' = 'plain',
): Html {
  return html`<form method="post" action="${action}">
    ${tokenField(request)}<button class="${kind}">${label}</button>
  </form>`;
}

/** The links to the previous and the next page of a list. */
export function pageLinks(links: Readonly<Record<string, string | null>> | undefined): Html {
  const { prev, next } = links ?? {};
  if (typeof prev !== 'string' && typeof next !== 'string') return html``;
  return html`<nav aria-label="Pages" class="pages">
    ${typeof prev === 'string' && html`<a rel="prev" href="${localPath(prev)}">Previous page</a>`}
    ${typeof next === 'string' && html`<a rel="next" href="${localPath(next)}">Next page</a>`}
  </nav>`;
}

function localPath(href: string): string {
  const { pathname, search } = new URL(href);
  return `${pathname}${search}`;
}

/** Returns the response that leads a browser to another page, after a form. */
export function seeOther(path: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 303, headers: { ...PAGE_HEADERS, ...headers, location: path } };
}

/** Returns the fields of a form. */
export function formOf({ bytes }: Pick<ApiRequest, 'bytes'>): URLSearchParams {
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'));
}
