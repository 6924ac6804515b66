import { HttpRequest, HttpResponse } from '@smithy/core/transport';
import type { Http, HttpRequest as Asked } from '@terrane/host';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { requestHandler } from './request-handler.ts';

interface Sent extends Asked {
  readonly url: string;
}

/** Returns the host's request for a request of the SDK. */
async function sentFor(
  request: Partial<HttpRequest>,
  {
    variables = {},
    ways = {},
    ca,
    signal,
    abortSignal,
  }: {
    readonly variables?: Readonly<Record<string, string>>;
    readonly ways?: { readonly httpProxy?: string; readonly noProxy?: string };
    readonly ca?: string;
    readonly signal?: AbortSignal;
    readonly abortSignal?: AbortSignal;
  } = {},
): Promise<Sent> {
  const sent: Sent[] = [];
  const http: Pick<Http, 'request'> = {
    request(url, asked) {
      sent.push({ url, ...asked });
      return Promise.resolve({ url, status: 200, headers: {}, body: (async function* () {})() });
    },
  };
  const { environment } = memoryHost({ variables });
  const handler = requestHandler(
    { http, environment },
    { insecure: false, ...ways },
    ca,
    HttpResponse,
    signal,
  );
  const asked = new HttpRequest({ hostname: 'sts.example', protocol: 'https:', ...request });
  const { response } = await handler.handle(asked, { abortSignal });
  expect(response.statusCode).toBe(200);
  expect(sent).toHaveLength(1);
  return sent[0] ?? { url: '' };
}

it('sends the signed request of the SDK', async () => {
  const query = { b: ["'x y'", '2'], a: '*', c: null };
  const sent = await sentFor({ method: 'PUT', path: '/key', query, body: 'text', port: 81 });
  expect(sent).toMatchObject({
    url: 'https://sts.example:81/key?a=%2A&b=%27x%20y%27&b=2&c',
    method: 'PUT',
    body: 'text',
    redirect: 'manual',
    proxy: '',
  });
  expect(sent.tls).toBeUndefined();
});

it('refuses bodies that it cannot send twice', async () => {
  await expect(sentFor({ body: (async function* () {})() })).rejects.toThrow(
    'the body of an AWS request must be a string or bytes',
  );
});

const VARIABLES = { https_proxy: 'http://environment:1' };

it.each([
  ['of the environment', { variables: VARIABLES }, 'http://environment:1'],
  ['of the connection', { ways: { httpProxy: 'http://connection:2' } }, 'http://connection:2'],
  [
    'of the environment for https, before that of the connection for http',
    { variables: VARIABLES, ways: { httpProxy: 'http://connection:2' } },
    'http://environment:1',
  ],
  ['that is left out', { variables: VARIABLES, ways: { noProxy: 'sts.example' } }, ''],
])('uses the proxy %s', async (_, setup, proxy) => {
  expect((await sentFor({}, setup)).proxy).toBe(proxy);
});

it('trusts the certificates of the connection', async () => {
  expect((await sentFor({}, { ca: 'PEM' })).tls).toEqual({ ca: 'PEM' });
});

it('ends with the request, or else with the run', async () => {
  const { signal } = new AbortController();
  const abortSignal = new AbortController().signal;
  expect((await sentFor({}, { signal })).signal).toBe(signal);
  expect((await sentFor({}, { signal, abortSignal })).signal).toBe(abortSignal);
  expect((await sentFor({})).signal).toBeUndefined();
});
