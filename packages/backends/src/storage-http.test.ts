import type { Http, HttpAnswer, HttpRequest } from '@terrane/host';
import { expect, it } from 'vitest';
import { storageHttp } from './storage-http.ts';

interface Asked extends HttpRequest {
  readonly url: string;
}

/** Servers that redirect from one address to the next. */
function servers(locations: Readonly<Record<string, string>>, status = 302) {
  const asked: Asked[] = [];
  const http: Http = {
    request(url, options = {}) {
      asked.push({ url, ...options });
      const location = locations[url];
      const answer: HttpAnswer = {
        status: location === undefined ? 200 : status,
        headers: location === undefined ? {} : { location },
        url,
        body: (async function* () {})(),
      };
      return Promise.resolve(answer);
    },
    openSession: () => ({ request: http.request, close: () => undefined }),
    serveLocally: () => Promise.reject(new Error('no')),
  };
  return { http: storageHttp(http), asked };
}

const SECRET = { 'X-Consul-Token': 's', authorization: 's', 'x-goog-encryption-key': 's' };
const headers = { ...SECRET, 'User-Agent': 'x' };
const tls = { certificate: 'c', key: 'k', ca: 'a' };

it('brings headers and certificates along within an origin, and to no other one', async () => {
  const { http, asked } = servers({
    'https://a.test/1': '/2',
    'https://a.test/2': 'https://b.test/3',
    'https://b.test/3': 'https://a.test/4',
  });
  await http.request('https://a.test/1', { headers, tls });
  expect(asked.map((each) => [each.url, each.headers, each.tls])).toEqual([
    ['https://a.test/1', headers, tls],
    ['https://a.test/2', headers, tls],
    ['https://b.test/3', { 'User-Agent': 'x' }, { ca: 'a' }],
    ['https://a.test/4', { 'User-Agent': 'x' }, { ca: 'a' }],
  ]);
});

it('sends no state to another origin', async () => {
  const { http, asked } = servers({ 'https://a.test/1': 'https://b.test/2' }, 307);
  await expect(http.request('https://a.test/1', { method: 'POST', body: 's' })).rejects.toThrow(
    'https://a.test redirects a POST request to https://b.test',
  );
  await expect(http.request('https://a.test/1', { method: 'DELETE' })).rejects.toThrow('DELETE');
  expect(asked.map(({ url }) => url)).toEqual(['https://a.test/1', 'https://a.test/1']);
});

it('repeats the body within an origin only for 307 and 308', async () => {
  for (const [status, method] of [
    [307, 'POST'],
    [303, 'GET'],
  ] as const) {
    const { http, asked } = servers({ 'https://a.test/1': '/2' }, status);
    await http.request('https://a.test/1', { method: 'POST', body: 's' });
    expect(asked[1]).toMatchObject({ url: 'https://a.test/2', method });
    expect(asked[1]?.body).toBe(method === 'POST' ? 's' : undefined);
  }
});

it('does not go on without encryption, nor for ever', async () => {
  const plain = servers({ 'https://a.test/1': 'http://a.test/1' });
  await expect(plain.http.request('https://a.test/1')).rejects.toThrow('not encrypted');
  const loop = servers({ 'https://a.test/1': 'https://a.test/1' });
  await expect(loop.http.request('https://a.test/1')).rejects.toThrow('stopped after 10 redirects');
});

it('leaves redirects to callers that request them, and limits the time until response headers', async () => {
  const { http, asked } = servers({ 'https://a.test/1': '/2' });
  const answer = await http.request('https://a.test/1', { redirect: 'manual' });
  expect(answer.status).toBe(302);
  expect(asked[0]?.headTimeoutMs).toBe(120_000);
});
