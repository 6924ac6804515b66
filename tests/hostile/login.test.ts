// Hosts that somebody logs in to, and pages that the browser shows meanwhile, which attack the login: answers without end,
// tokens that are more than a token, requests to the server that waits for the browser.
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { nodeHost } from '@terrane/host';
import { makeCertificate } from '@terrane/plugin';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Ended, Work } from './fixture.ts';
import { watchMemory } from './memory.ts';
import { flood } from './ssh-server.ts';

let pair: { readonly certificate: string; readonly key: string };
beforeAll(() => {
  const { clock, random } = nodeHost();
  pair = makeCertificate(clock, random);
});

/** How long a login may take on a machine that other tests occupy. */
const LIMIT_MS = 240_000;
const LOGIN = {
  client: 'terrane-test',
  grant_types: ['authz_code'],
  authz: '/authorize',
  token: '/token',
  ports: [20_300, 20_999],
};

interface Attack {
  /** members of the discovery document that are not as usual */
  readonly login?: object;
  /** the whole discovery document */
  readonly discovery?: string;
  /** answers the request for the token */
  readonly token?: RequestListener;
  /** sent to the server that waits for the browser before the browser comes, as they are */
  readonly requests?: (state: string) => readonly string[];
  /** Ctrl-C once the token is asked for */
  readonly interrupts?: boolean;
}

interface LoggedIn extends Ended {
  readonly peakKiB: number;
  readonly credentials: string | undefined;
  readonly tokenRequests: readonly string[];
  /** status lines of what the server that waits for the browser answered to `requests` */
  readonly answers: readonly string[];
}

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer({ cert: pair.certificate, key: pair.key }, listener);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

const json = (body: unknown): RequestListener => {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};

/** Logs in to a host, agreeing to everything, as a user and a browser do. */
async function logIn(attack: Attack): Promise<LoggedIn> {
  const tokenRequests: string[] = [];
  const server = await serve((request, response) => {
    const url = new URL(request.url ?? '', 'https://localhost');
    if (url.pathname === '/.well-known/terraform.json') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        attack.discovery ?? JSON.stringify({ 'login.v1': { ...LOGIN, ...attack.login } }),
      );
      return;
    }
    tokenRequests.push(url.pathname);
    (attack.token ?? json({ access_token: 'the-token' }))(request, response);
  });
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  const work = new Work({ 'ca.pem': pair.certificate });
  let peak = (): number => 0;
  let isAnswered = false;
  const answers: string[] = [];
  const agree = async (page: URL): Promise<void> => {
    const back = new URL(page.searchParams.get('redirect_uri') ?? '');
    const state = page.searchParams.get('state') ?? '';
    for (const request of attack.requests?.(state) ?? []) {
      answers.push(await rawAnswer(Number(back.port), request));
    }
    back.searchParams.set('state', state);
    back.searchParams.set('code', 'the-code');
    await rawAnswer(Number(back.port), `GET ${back.pathname}${back.search} HTTP/1.1`);
  };
  const ended = await work.run(['login', `localhost:${port}`], {
    env: { SSL_CERT_FILE: work.at('ca.pem'), BROWSER: 'true' },
    input: 'yes\n',
    started(child) {
      peak = watchMemory(child);
      const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
      const interrupt = setInterval(() => {
        if (attack.interrupts !== true || tokenRequests.length === 0) return;
        clearInterval(interrupt);
        child.kill('SIGINT');
      }, 200);
      child.once('close', () => {
        clearTimeout(timer);
        clearInterval(interrupt);
      });
    },
    onOutput(soFar) {
      const page = /https:\/\/localhost:\d+\/authorize\S*state=\S+/.exec(soFar)?.[0];
      if (page === undefined || isAnswered || !soFar.includes('will now wait')) return;
      isAnswered = true;
      void agree(new URL(page)).catch(() => undefined);
    },
  });
  const file = 'home/.terraform.d/credentials.tfrc.json';
  return {
    ...ended,
    peakKiB: peak(),
    credentials: existsSync(work.at(file)) ? work.read(file) : undefined,
    tokenRequests,
    answers,
  };
}

/** Sends a request as it is; the first line of the answer. */
async function rawAnswer(port: number, request: string): Promise<string> {
  return await new Promise((done) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${request}\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
    });
    socket.setEncoding('utf8').on('data', (more: string) => (text += more));
    socket.on('error', () => undefined).on('close', () => done(text.split('\r\n', 1)[0] ?? ''));
  });
}

describe('a login', () => {
  it('works with a host that behaves', async () => {
    const { code, credentials, stderr } = await logIn({});
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(credentials).toContain('"the-token"');
  });

  it('survives every request of other pages, and takes no code without its state', async () => {
    const { code, credentials, answers } = await logIn({
      requests: (state) => [
        'GET / HTTP/1.1',
        'GET // HTTP/1.1',
        'GET http:// HTTP/1.1',
        'GET //[ HTTP/1.1',
        'GET /login?code=evil HTTP/1.1',
        'GET /login?code=evil&state=evil HTTP/1.1',
        `GET /login?code=evil&state=${state.slice(1)} HTTP/1.1`,
        `GET /login?code=evil&state=evil&state=${state} HTTP/1.1`,
        `GET /login?state=${state} HTTP/1.1`,
        'POST /login HTTP/1.1',
        `GET /${'x'.repeat(100_000)} HTTP/1.1`,
        'GET /login?code=%E0%A4%A HTTP/1.1',
      ],
    });
    expect(answers.filter((each) => each.includes(' 200'))).toEqual([]);
    expect(code).toBe(0);
    expect(credentials).toContain('"the-token"');
  });

  it('shows nothing of a code or an error in the page that the browser gets', async () => {
    const { answers } = await logIn({
      requests: () => ['GET /login?code=<script>alert(1)</script>&state=<script> HTTP/1.1'],
    });
    expect(answers.join()).not.toContain('script');
    expect(answers[0]).toContain('400');
  });

  it.each([
    [
      'is endless',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        flood(response, ' ');
      },
    ],
    [
      'is nested deeply',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"access_token":${'['.repeat(400_000)}`);
      },
    ],
    [
      'is a page',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<script>evil</script>');
      },
    ],
    ['has a token that is a list', json({ access_token: ['a'] })],
    ['has a token with line ends', json({ access_token: 'a\r\nX-Evil: 1' })],
    ['has a token with escape sequences', json({ access_token: 'a\u001b[2Kb' })],
    ['has a token with other letters', json({ access_token: 'a\u202eb' })],
    ['has a token of a megabyte', json({ access_token: 'a'.repeat(900_000) })],
    [
      'has an error of a megabyte',
      json({ error: 'a'.repeat(400_000), error_description: '\u001b[2K'.repeat(80_000) }),
    ],
    [
      'redirects',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(307, { location: '/elsewhere' }).end();
      },
    ],
  ] satisfies [string, RequestListener][])(
    'ends, and keeps nothing, if the answer with the token %s',
    async (_, token) => {
      const { code, credentials, stderr, peakKiB, tokenRequests } = await logIn({ token });
      expect(stderr).toContain('Failed to obtain auth token');
      expect(stderr.length).toBeLessThan(10_000);
      // oxlint-disable-next-line no-control-regex
      expect(stderr).not.toMatch(/\u001b\[2K/);
      expect(code).toBe(1);
      expect(credentials).toBeUndefined();
      expect(tokenRequests).toEqual(['/token']);
      expect(peakKiB).toBeLessThan(300_000);
    },
  );

  it('is ended by an interrupt while the host keeps the token', async () => {
    const { code, signal } = await logIn({ interrupts: true, token: () => {} });
    expect(signal).toBeNull();
    expect(code).toBe(1);
  });

  it.each([
    ['texts', { ports: ['1', '2'] }],
    ['a range that ends before it begins', { ports: [3_000, 2_000] }],
    ['a range from zero', { ports: [0, 10] }],
    ['a range past the end', { ports: [65_000, 70_000] }],
    ['fractions', { ports: [3_000.5, 3_001.5] }],
    ['huge numbers', { ports: [1e300, 1e301] }],
    ['three numbers', { ports: [1, 2, 3] }],
  ])('is refused where ports are %s', async (_, login) => {
    const { code, stderr } = await logIn({ login });
    expect(stderr).toContain('Error: ');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  });

  it.each([
    ['a page of plain http', { authz: 'http://foreign.localtest/x' }],
    ['a token from plain http', { token: 'http://foreign.localtest/x' }],
    ['a page that is a script', { authz: 'javascript:alert(1)' }],
    ['a page that is a file', { authz: 'file:///etc/passwd' }],
    ['a page with a password', { authz: 'https://a:b@localhost/' }],
    ['no client', { client: 7 }],
  ])('is refused with %s', async (_, login) => {
    const { code, stderr, tokenRequests } = await logIn({ login });
    expect(stderr).toContain('Host does not support');
    expect(code).toBe(1);
    expect(tokenRequests).toEqual([]);
  });

  it.each([
    ['nested deeply', '['.repeat(400_000)],
    ['nested deeply in a service', `{"login.v1":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
    ['no JSON', '<html>'],
    ['a number', '7'],
  ])('is refused by a discovery document that is %s', async (_, discovery) => {
    const { code, stderr } = await logIn({ discovery });
    expect(stderr).toContain('Error: ');
    expect(stderr).not.toMatch(/call stack|^\s+at /m);
    expect(code).toBe(1);
  });
});
