import { Hono } from 'hono';
import { errorText, isInternalError, type Logs, type Traces } from '@terrane/host';
import { permissionsIn } from '../access/authorize.ts';
import { locate, NOWHERE, type Place } from '../access/place.ts';
import { principalName, principalOf, type Principal } from '../access/principal.ts';
import { randomText, type Services } from '../services/services.ts';
import { isStorable, storable } from '../database/storable.ts';
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
import { SIGN_IN_PATH } from '../web/paths.ts';
import { tokenHash } from '../services/sealing.ts';
import { refusesToken } from '../services/token-ttl.ts';
import { parseDocument } from './bounded-json.ts';
import { type RateLimit, RateLimiter } from './rate-limit.ts';
import { isSignedUrl, SIGNED_PREFIX } from './signed-url.ts';

/** Requests of a client in a second. HCP Terraform permits as many. */
const USUAL_REQUESTS = 30;
/** Attempts to authenticate from an address that fail. */
const FAILURES: RateLimit = { count: 20, periodMs: 60_000 };
const DEFAULT_LIMIT = 1024 * 1024;
const API_VERSION = '2.6';

/**
 * The release of Terraform Enterprise whose API clients may expect. The `tfe` provider uses some attributes only if it
 * is known. 1.0.0 has stacks, which this server has not.
 */
const ENTERPRISE_VERSION = '0.9.0';

/** The server as a function of requests. */
export interface App {
  /** Answers a request. `address` is that of the client, for limits and for the list of agents. */
  fetch(request: Request, address?: string): Promise<Response>;
}

/** Options of the server as a function. */
export interface AppOptions {
  readonly logs?: Logs;
  /** receives a span of each request */
  readonly traces?: Traces;
  /** requests in a second of each token, and of each address without one; 0: no limits */
  readonly requestsPerSecond?: number;
}

/** Builds the server from its routes. */
export function createApp(
  services: Services,
  routes: readonly Route[],
  { logs, traces, requestsPerSecond = USUAL_REQUESTS }: AppOptions = {},
): App {
  const app = new Hono<{ Bindings: { readonly address: string } }>({ strict: false });
  const limits = requestsPerSecond > 0 ? new Limits(services, requestsPerSecond) : undefined;
  for (const route of routes) {
    const path = route.rule.kind === 'signed' ? `${SIGNED_PREFIX}${route.path}` : route.path;
    app.on(route.method, [path], async (context) => {
      const started = services.clock.now().getTime();
      const request = context.req.raw;
      const { address } = context.env;
      const traced: Traced = { id: requestId(services, request), address };
      const params = context.req.param();
      const response = await withRequestSpan(traces, route, request, () =>
        handle(route, request, params, traced),
      );
      const milliseconds = services.clock.now().getTime() - started;
      services.metrics.observe(route.method, route.path, response.status, milliseconds / 1000);
      response.headers.set('x-request-id', traced.id);
      logRequest(services, route, params, traced, response.status, milliseconds);
      return response;
    });
  }
  const handle = async (
    route: Route,
    request: Request,
    params: Readonly<Record<string, string>>,
    traced: Traced,
  ): Promise<Response> => {
    const { id, address } = traced;
    try {
      limits?.admit(route, request, address);
      return respond(await answer(services, route, request, params, traced));
    } catch (error) {
      if (error instanceof ApiError && isFailedAttempt(route, error)) limits?.failed(address);
      const { errorPage } = route;
      if (errorPage === undefined) return respond(errorAnswer(error, logs, id));
      const { method, url, headers } = request;
      const problem = asApiError(error, logs, id);
      const target = publicUrl(services, url);
      const page = await errorPage(problem, {
        method,
        url: target,
        headers,
        hasSingleSignOn: services.singleSignOn !== undefined,
      });
      return respond({ ...page, headers: { ...page.headers, ...problem.headers } });
    }
  };
  app.notFound(() => respond(errorAnswer(notFound(), logs)));
  const isStrict = requiresTls(services);
  return {
    async fetch(request, address = '') {
      const response = await app.fetch(request, { address });
      if (isStrict) response.headers.set('strict-transport-security', TLS_ONLY);
      return response;
    },
  };
}

/** Browsers do not use HTTP for the host for a year. */
const TLS_ONLY = 'max-age=31536000';

/**
 * Returns true if browsers are told to use TLS only. Not for this machine: the instruction is for all ports of a host,
 * and other servers of a developer speak HTTP.
 */
function requiresTls({ baseUrl }: Pick<Services, 'baseUrl'>): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' && !/(^|\.)localhost$/.test(hostname);
}

/** Answers a request within its span, which has the pattern of its path, because paths have signatures and names. */
async function withRequestSpan(
  traces: Traces | undefined,
  { method, path }: Route,
  { headers }: Request,
  work: () => Promise<Response>,
): Promise<Response> {
  if (traces === undefined) return await work();
  const attributes = { 'http.request.method': method, 'http.route': path };
  const traceparent = headers.get('traceparent') ?? undefined;
  return await traces.withinRequest(`${method} ${path}`, attributes, traceparent, async (span) => {
    const response = await work();
    span.set('http.response.status_code', response.status);
    if (response.status >= 500) span.fail();
    return response;
  });
}

/** Content of the log about a request, besides its route. */
interface Traced {
  /** the header `X-Request-Id` of a proxy, or a new identifier; the response has it, too */
  readonly id: string;
  readonly address: string;
  principal?: Principal;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;
/** Parameters of paths that name what a request is about. Others, such as signatures, are not logged. */
const LOGGED_PARAMS = ['organization', 'workspace', 'run', 'job'] as const;

function requestId({ random }: Pick<Services, 'random'>, { headers }: Request): string {
  const received = headers.get('x-request-id') ?? '';
  return REQUEST_ID.test(received) ? received : randomText(random, 16);
}

/** Writes a request to the log: by the pattern of its path, because paths have signatures and queries have names. */
function logRequest(
  { log }: Pick<Services, 'log'>,
  { method, path, rule }: Route,
  params: Readonly<Record<string, string>>,
  { id, address, principal }: Traced,
  status: number,
  milliseconds: number,
): void {
  // Health checks, and what agents and readers of logs repeat all the time.
  const isFrequent = rule.kind === 'agent' || path.startsWith('/_health') || path === '/metrics';
  log?.write(isFrequent && status < 400 ? 'debug' : 'info', 'server', 'request', {
    request_id: id,
    method,
    route: path,
    status,
    duration_ms: milliseconds,
    address,
    ...Object.fromEntries(
      LOGGED_PARAMS.flatMap((name) => {
        const value = params[name];
        return value === undefined ? [] : [[name, value.slice(0, 128)]];
      }),
    ),
    ...(principal !== undefined &&
      principal.kind !== 'anonymous' && {
        principal: principal.kind,
        principal_id: principalName(principal).id,
        token_id: principal.tokenId,
      }),
  });
}

/** Forms and requests that carry a token or a code, which could be guessed. */
const ATTEMPTS: ReadonlySet<string> = new Set([SIGN_IN_PATH, '/app/oauth2/auth', '/oauth/token']);

/** Returns true if a request failed because its credentials are invalid. */
const isFailedAttempt = ({ path, method }: Route, { status }: ApiError): boolean =>
  status === 401 || (method === 'POST' && ATTEMPTS.has(path));

/** Limits of the requests that this process receives. */
class Limits {
  readonly #services: Pick<Services, 'clock' | 'sealing' | 'baseUrl'>;
  readonly #requests: RateLimiter;
  readonly #failures = new RateLimiter(FAILURES);

  constructor(
    services: Pick<Services, 'clock' | 'sealing' | 'baseUrl'>,
    requestsPerSecond: number,
  ) {
    this.#services = services;
    this.#requests = new RateLimiter({ count: requestsPerSecond, periodMs: 1_000 });
  }

  /**
   * Throws an ApiError if the token or, without one, the address has sent too many requests, or if too many attempts to
   * authenticate from the address have failed.
   */
  admit(route: Route, { headers }: Request, address: string): void {
    const now = this.#services.clock.now().getTime();
    const { kind } = route.rule;
    const blocked = kind === 'signed' ? 0 : this.#failures.peek(address, now);
    if (blocked > 0) throw tooMany(blocked, 'Too many attempts with an invalid token.');
    if (route.method === 'POST' && ATTEMPTS.has(route.path)) this.failed(address);
    // Agents send logs and journals as they arise, and readers of logs follow them.
    if (kind === 'agent' || kind === 'signed') return;
    // Only a cookie that the server has written identifies a client: anybody can send another one with each request.
    const credential =
      headers.get('authorization') ?? sessionToken(this.#services, headers.get('cookie') ?? '');
    const client = credential === undefined ? `address ${address}` : tokenHash(credential);
    const wait = this.#requests.take(client, now);
    if (wait > 0) throw tooMany(wait, 'Too many requests.');
  }

  /** Counts an attempt to authenticate that failed. */
  failed(address: string): void {
    this.#failures.take(address, this.#services.clock.now().getTime());
  }
}

const tooMany = (seconds: number, reason: string): ApiError =>
  new ApiError(
    429,
    'too many requests',
    `${reason} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    undefined,
    { 'retry-after': String(seconds), 'x-ratelimit-reset': String(seconds) },
  );

async function answer(
  services: Services,
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
  traced: Traced,
): Promise<Answer> {
  const url = publicUrl(services, request.url);
  const { principal, session } = await authenticate(services, route, request);
  traced.principal = principal;
  const { address } = traced;
  const { rule, isStreamed = false } = route;
  rejectUnstorable(Object.values(params), 'path');
  rejectUnstorable([...url.searchParams].flat(), 'query');
  const limit = limitOf(services, route);
  if (principal.kind === 'anonymous' && rule.kind !== 'public' && rule.kind !== 'signed') {
    throw unauthorized();
  }
  // Nobody makes the server hold a large body without the permission to send it. It is authorized again afterwards,
  // as the body may have taken long.
  if (limit > DEFAULT_LIMIT) {
    await authorize(services, route, principal, params, new Input({}), url);
  }
  const content = bodyOf(request, limit);
  const bytes = isStreamed ? new Uint8Array() : await readBody(content);
  const json = parseJson(bytes, request.headers.get('content-type') ?? '');
  const isOfAgent = rule.kind === 'agent';
  if (!isOfAgent) rejectUnstorable(json, 'body');
  const input = new Input(isOfAgent ? storable(json) : json);
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
    address,
    principal,
    formToken: session === undefined ? '' : formToken(services, session),
    place,
    param: (name) => params[name] ?? '',
    input,
    bytes,
    content: isStreamed ? content : onePiece(bytes),
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
    case 'metrics':
      if (principal.kind === 'metrics') return NOWHERE;
      if (principal.kind === 'user' && principal.user.is_site_admin) return NOWHERE;
      throw principal.kind === 'agent' ? unauthorized() : notFound();
    case 'run-task':
      if (principal.kind !== 'task') throw unauthorized();
      if (principal.resultId !== params['result']) throw notFound();
      return NOWHERE;
    case 'authenticated':
    case 'user':
    case 'site-admin': {
      const { kind } = principal;
      if (kind === 'anonymous' || kind === 'agent' || kind === 'metrics' || kind === 'task') {
        throw unauthorized();
      }
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
      if (await refusesToken(services, location.organization, principal)) throw unauthorized();
      const place = await permissionsIn(services, principal, location, { of: subject.of, id });
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

function limitOf(services: Services, { limit = DEFAULT_LIMIT }: Route): number {
  return typeof limit === 'number' ? limit : limit(services);
}

/** Returns the body of a request as it is received. Throws an ApiError if it is larger than the limit. */
async function* bodyOf({ body, headers }: Request, limit: number): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const announced = Number(headers.get('content-length') ?? '0');
  if (announced > limit) throw tooLarge(limit);
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    yield chunk;
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function readBody(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const tooLarge = (limit: number): ApiError =>
  new ApiError(413, 'payload too large', `The body is limited to ${limit} bytes.`);

function parseJson(bytes: Uint8Array, contentType: string): unknown {
  if (bytes.length === 0 || !contentType.includes('json')) return {};
  try {
    return parseDocument(bytes);
  } catch {
    throw new ApiError(400, 'bad request', 'The body is not valid JSON.');
  }
}

/** Throws an ApiError for texts that PostgreSQL does not store as they are. The depth of `value` is limited. */
function rejectUnstorable(value: unknown, place: string): void {
  if (typeof value === 'string' && !isStorable(value)) {
    throw new ApiError(
      400,
      'bad request',
      `The ${place} has a text with the character U+0000 or half of a surrogate pair.`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    rejectUnstorable(key, place);
    rejectUnstorable(each, place);
  }
}

/** Returns the error that clients see. The text of a defect stays in the log. */
function asApiError(error: unknown, logs: Logs | undefined, id?: string): ApiError {
  if (error instanceof ApiError) return error;
  // any-error: a defect of one handler must not end the server.
  const text = errorText(error);
  const message = isInternalError(error) ? 'internal error' : 'request failed';
  logs?.core.write('error', 'server', message, {
    ...(id !== undefined && { request_id: id }),
    error: text,
  });
  return new ApiError(
    500,
    'internal error',
    'The server could not process the request. Its log has the reason.',
  );
}

function errorAnswer(error: unknown, logs: Logs | undefined, id?: string): Answer {
  const { status, title, detail, pointer, headers } = asApiError(error, logs, id);
  const source = pointer === undefined ? {} : { source: { pointer } };
  return {
    status,
    document: { errors: [{ status: String(status), title, detail, ...source }] },
    headers,
  };
}

function respond({ status = 200, document, body, stream, contentType, headers }: Answer): Response {
  const common = {
    'cache-control': 'no-store',
    'tfp-api-version': API_VERSION,
    'tfp-appname': 'Terrane',
    'x-tfe-current-version': ENTERPRISE_VERSION,
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
  if (stream !== undefined) {
    return new Response(readable(stream.pieces), {
      status,
      headers: {
        'content-type': contentType ?? 'application/octet-stream',
        'content-length': String(stream.size),
        ...common,
      },
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

/** Returns a stream that reads the next piece when the client has taken the one before. */
function readable(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done = false, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
