import { discardBody, type Http, type HttpAnswer, type HttpRequest } from '@terrane/host';

const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers without credentials, which are also sent to other origins. */
const PLAIN: ReadonlySet<string> = new Set(['accept', 'user-agent']);
/** The time limit for the head of a response, in addition to the time for the request body at this rate. */
const HEAD_MS = 120_000;
const SLOWEST_BYTES_A_MS = 64;

/**
 * The requests of backends. They carry credentials in headers of any name, certificates and states with secrets, which
 * do not follow a redirect to another origin: there a request is sent without them, or fails if it would have to send a
 * state, or would change from `https:` to `http:`.
 */
export function storageHttp(http: Http): Http {
  return {
    request: (url, options) => request(http, url, options),
    openSession() {
      const session = http.openSession();
      return {
        request: (url, options) => request(session, url, options),
        close: () => session.close(),
      };
    },
    serveLocally: (port, answer) => http.serveLocally(port, answer),
  };
}

async function request(
  http: Pick<Http, 'request'>,
  url: string,
  options: HttpRequest = {},
): Promise<HttpAnswer> {
  const bytes = options.body === undefined ? 0 : Buffer.byteLength(options.body);
  let sent: HttpRequest = {
    headTimeoutMs: HEAD_MS + bytes / SLOWEST_BYTES_A_MS,
    ...options,
    redirect: 'manual',
  };
  let target = new URL(url);
  for (let hops = 0; ; hops++) {
    const answer = await http.request(target.href, sent);
    const location = REDIRECTS.has(answer.status) ? answer.headers['location'] : undefined;
    if (location === undefined || options.redirect === 'manual') return answer;
    await discardBody(answer);
    if (hops === MAX_REDIRECTS) {
      throw new Error(`stopped after ${MAX_REDIRECTS} redirects, the last one to ${location}`);
    }
    const next = new URL(location, target);
    sent = redirectedRequest(sent, answer.status);
    if (next.origin !== target.origin) sent = elsewhere(sent, target, next);
    target = next;
  }
}

/** Returns the request after a redirect, which may be a GET without the body. */
function redirectedRequest(sent: HttpRequest, status: number): HttpRequest {
  const { method = 'GET', body: _, ...rest } = sent;
  const asksAnew = status === 303 || (status < 303 && method !== 'GET' && method !== 'HEAD');
  return asksAnew && method !== 'HEAD' ? { ...rest, method: 'GET' } : sent;
}

/** The request to another origin, without all that is for the first one. */
function elsewhere(sent: HttpRequest, from: URL, to: URL): HttpRequest {
  const { method = 'GET', headers = {}, body, tls, ...rest } = sent;
  if (body !== undefined || (method !== 'GET' && method !== 'HEAD')) {
    throw new Error(
      `${from.origin} redirects a ${method} request to ${to.origin}, which it was not meant for; if that is where states are to be kept, configure it as the address`,
    );
  }
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new Error(`${from.origin} redirects to ${to.origin}, which is not encrypted`);
  }
  const plain = Object.entries(headers).filter(([name]) => PLAIN.has(name.toLowerCase()));
  const { certificate: _, key: __, serverName: ___, ...trust } = tls ?? {};
  return {
    ...rest,
    method,
    headers: Object.fromEntries(plain),
    ...(tls !== undefined && { tls: trust }),
  };
}
