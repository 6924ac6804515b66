import { Hono } from 'hono';
import { errorText, isInternalError, type Logs } from '@terrane/host';
import { permissionsIn } from '../access/authorize.ts';
import { locate, NOWHERE, type Place } from '../access/place.ts';
import { principalOf, type Principal } from '../access/principal.ts';
import type { Services } from '../services/services.ts';
import { ApiError, forbidden, notFound, unauthorized } from './json-api.ts';
import { type Answer, type ApiRequest, Input } from './request.ts';
import type { Route } from './route.ts';
import {
  FORM_TOKEN,
  formToken,
  isFormToken,
  isSameOrigin,
  sessionToken,
} from './session-cookie.ts';
import { isSignedUrl, SIGNED_PREFIX } from './signed-url.ts';

const DEFAULT_LIMIT = 1024 * 1024;
const API_VERSION = '2.6';

/** The server as a function of requests. */
export interface App {
  fetch(request: Request): Promise<Response>;
}

/** Builds the server from its routes. */
export function createApp(services: Services, routes: readonly Route[], logs?: Logs): App {
  const app = new Hono({ strict: false });
  for (const route of routes) {
    const path = route.rule.kind === 'signed' ? `${SIGNED_PREFIX}${route.path}` : route.path;
    app.on(route.method, [path], async (context) => {
      try {
        const request = context.req.raw;
        const params = context.req.param();
        return respond(await answer(services, route, request, params));
      } catch (error) {
        const { errorPage } = route;
        if (errorPage === undefined) return respond(errorAnswer(error, logs));
        const { method, url, headers } = context.req.raw;
        const target = publicUrl(services, url);
        return respond(await errorPage(asApiError(error, logs), { method, url: target, headers }));
      }
    });
  }
  app.notFound(() => respond(errorAnswer(notFound(), logs)));
  return { fetch: async (request) => await app.fetch(request) };
}

async function answer(
  services: Services,
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Answer> {
  const url = publicUrl(services, request.url);
  const { principal, session } = await authenticate(services, route, request);
  const { rule, limit = DEFAULT_LIMIT } = route;
  if (principal.kind === 'anonymous' && rule.kind !== 'public' && rule.kind !== 'signed') {
    throw unauthorized();
  }
  // Nobody makes the server hold a large body without the permission to send it. It is authorized again afterwards,
  // as the body may have taken long.
  if (limit > DEFAULT_LIMIT) {
    await authorize(services, route, principal, params, new Input({}), url);
  }
  const bytes = await readBody(request, limit);
  const input = new Input(parseJson(bytes, request.headers.get('content-type') ?? ''));
  const place = await authorize(services, route, principal, params, input, url);
  if (route.errorPage !== undefined && route.method !== 'GET') {
    rejectForgery(services, route, request, session, bytes);
  }
  const api: ApiRequest = {
    services,
    method: route.method,
    url,
    query: url.searchParams,
    headers: request.headers,
    signal: request.signal,
    principal,
    formToken: session === undefined ? '' : formToken(services, session),
    place,
    param: (name) => params[name] ?? '',
    input,
    bytes,
  };
  return await route.handle(api);
}

/** Returns the URL as clients see it: behind a proxy the request has another origin. */
function publicUrl({ baseUrl }: Pick<Services, 'baseUrl'>, requested: string): URL {
  const { pathname, search } = new URL(requested);
  return new URL(`${baseUrl}${pathname}${search}`);
}

/** Returns who sends a request, and the token of the session of a browser. Only pages have sessions. */
async function authenticate(
  services: Services,
  { errorPage }: Route,
  { headers }: Request,
): Promise<{ readonly principal: Principal; readonly session?: string }> {
  const authorization = headers.get('authorization');
  if (authorization !== null) {
    const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
    const principal = token === undefined ? undefined : await principalOf(services, token);
    if (principal === undefined) throw unauthorized();
    return { principal };
  }
  const session =
    errorPage === undefined ? undefined : sessionToken(services, headers.get('cookie') ?? '');
  const principal = session === undefined ? undefined : await principalOf(services, session);
  if (session === undefined || principal === undefined) return { principal: { kind: 'anonymous' } };
  return { principal, session };
}

/** Rejects a form that was not sent from a page of this server and of the session. */
function rejectForgery(
  services: Services,
  { rule }: Route,
  { headers }: Request,
  session: string | undefined,
  bytes: Uint8Array,
): void {
  const isOwnForm = (): boolean => {
    // The form of the sign-in has no session yet.
    if (rule.kind === 'public') return true;
    const text = new URLSearchParams(Buffer.from(bytes).toString('utf8')).get(FORM_TOKEN);
    return session !== undefined && isFormToken(services, session, text ?? '');
  };
  if (isSameOrigin(services, headers) && isOwnForm()) return;
  throw new ApiError(
    403,
    'forbidden',
    'The form was not sent from a page of this session. Open the page again, and repeat the action.',
  );
}

async function authorize(
  services: Services,
  { rule, method }: Route,
  principal: Principal,
  params: Readonly<Record<string, string>>,
  input: Input,
  url: URL,
): Promise<Place> {
  switch (rule.kind) {
    case 'public':
      return NOWHERE;
    case 'signed':
      if (!isSignedUrl(services, method, url)) throw notFound();
      return NOWHERE;
    case 'agent':
      if (principal.kind !== 'agent') throw unauthorized();
      return NOWHERE;
    case 'authenticated':
    case 'user':
    case 'site-admin': {
      const { kind } = principal;
      if (kind === 'anonymous' || kind === 'agent') throw unauthorized();
      if (rule.kind === 'authenticated') return NOWHERE;
      if (kind !== 'user') throw notFound();
      if (rule.kind === 'site-admin' && !principal.user.is_site_admin) throw notFound();
      return NOWHERE;
    }
    case 'organization':
    case 'workspace': {
      if (principal.kind === 'anonymous') throw unauthorized();
      const { subject } = rule;
      const id = 'param' in subject ? (params[subject.param] ?? '') : subject.body(input);
      const location = await locate(services, subject.of, id, params['organization']);
      if (location === undefined) throw notFound();
      const place = await permissionsIn(services, principal, location);
      const { organizationPermissions, workspacePermissions } = place;
      const isPermitted =
        rule.kind === 'organization'
          ? organizationPermissions.has(rule.permission)
          : workspacePermissions.has(rule.permission);
      if (isPermitted) return place;
      // Objects that a principal cannot see do not exist for it.
      const isVisible =
        rule.kind === 'organization'
          ? organizationPermissions.has('organization:read')
          : workspacePermissions.has('workspace:read');
      throw isVisible ? forbidden() : notFound();
    }
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const announced = Number(request.headers.get('content-length') ?? '0');
  if (announced > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (limit: number): ApiError =>
  new ApiError(413, 'payload too large', `The body is limited to ${limit} bytes.`);

function parseJson(bytes: Uint8Array, contentType: string): unknown {
  if (bytes.length === 0 || !contentType.includes('json')) return {};
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new ApiError(400, 'bad request', 'The body is not valid JSON.');
  }
}

/** Returns the error that clients see. The text of a defect stays in the log. */
function asApiError(error: unknown, logs: Logs | undefined): ApiError {
  if (error instanceof ApiError) return error;
  // any-error: a defect of one handler must not end the server.
  const text = errorText(error);
  logs?.core.write('error', 'server', isInternalError(error) ? `internal error: ${text}` : text);
  return new ApiError(
    500,
    'internal error',
    'The server could not process the request. Its log has the reason.',
  );
}

function errorAnswer(error: unknown, logs: Logs | undefined): Answer {
  const { status, title, detail, pointer } = asApiError(error, logs);
  const source = pointer === undefined ? {} : { source: { pointer } };
  return {
    status,
    document: { errors: [{ status: String(status), title, detail, ...source }] },
  };
}

function respond({ status = 200, document, body, contentType, headers }: Answer): Response {
  const common = {
    'cache-control': 'no-store',
    'tfp-api-version': API_VERSION,
    'tfp-appname': 'Terrane',
    'x-content-type-options': 'nosniff',
    'x-ratelimit-limit': '30',
    ...headers,
  };
  if (document !== undefined) {
    return new Response(JSON.stringify(document), {
      status,
      headers: { 'content-type': contentType ?? 'application/vnd.api+json', ...common },
    });
  }
  const content =
    body === undefined ? null : typeof body === 'string' ? body : new Uint8Array(body);
  return new Response(content, {
    status,
    headers: {
      ...(content !== null && { 'content-type': contentType ?? 'application/octet-stream' }),
      ...common,
    },
  });
}
