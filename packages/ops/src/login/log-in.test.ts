import type { Host, HttpRequest, LocalAnswer } from '@terrane/host';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { openProject } from '../project.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import type { LoginEvent } from './login-ports.ts';

interface Request extends HttpRequest {
  readonly url: string;
}

type Answers = Readonly<Record<string, { readonly status?: number; readonly body: unknown }>>;

/** A machine that reaches one server, whose answers are by path, and whose user answers questions. */
class Bench {
  readonly requests: Request[] = [];
  readonly events: LoginEvent[] = [];
  readonly memory: ReturnType<typeof memoryHost> = memoryHost({
    variables: { HOME: '/home/tester' },
  });
  served: { readonly port: number; readonly answer: LocalAnswer } | undefined;
  closed = false;

  readonly answers: Answers;
  readonly user: Readonly<Record<string, string>>;

  constructor(answers: Answers, user: Readonly<Record<string, string>>) {
    this.answers = answers;
    this.user = user;
  }

  get host(): Host {
    return {
      ...this.memory,
      http: {
        request: (url, options = {}) => {
          this.requests.push({ ...options, url });
          const { status = 200, body } = this.answers[new URL(url).pathname] ?? {
            status: 404,
            body: {},
          };
          const bytes = new TextEncoder().encode(JSON.stringify(body));
          return Promise.resolve({
            status,
            headers: { 'content-type': 'application/json' },
            url,
            body: pieces(bytes),
          });
        },
        openSession: () => {
          throw new Error('no sessions here');
        },
        serveLocally: (port, answer) => {
          if (port === 20_000) return Promise.reject(new Error('EADDRINUSE'));
          this.served = { port, answer };
          return Promise.resolve({
            close: () => {
              this.closed = true;
              return Promise.resolve();
            },
          });
        },
      },
    };
  }

  async logIn(host = 'Example.com'): ReturnType<typeof logIn> {
    return await logIn(openProject(this.host), host, {
      signal: new AbortController().signal,
      ask: {
        input: ({ id }) => {
          const text = this.user[id];
          return Promise.resolve(text === undefined ? { problem: 'EOF' } : { text });
        },
      },
      emit: (event) => {
        this.events.push(event);
        if (event.kind === 'page' && event.what === 'login') this.agree(event.url);
      },
    });
  }

  /** Sends the request of a browser whose user agrees. */
  agree(url: string): void {
    const asked = new URL(url).searchParams;
    expect(asked.get('redirect_uri')).toBe(`http://localhost:${this.served?.port}/login`);
    expect(this.served?.answer('/login?code=c&state=wrong').status).toBe(400);
    const state = asked.get('state') ?? '';
    expect(this.served?.answer(`/login?code=c&state=${state}`).status).toBe(200);
  }

  async stored(): Promise<unknown> {
    return JSON.parse(
      await this.memory.files.readText('/home/tester/.terraform.d/credentials.tfrc.json'),
    );
  }
}

async function* pieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}

const LOGIN = {
  client: 'id',
  authz: '/authz?x=1',
  token: '/token',
  ports: [20_000, 20_001],
  scopes: ['a', 'b'],
};
const discovery = (services: unknown): { readonly body: unknown } => ({ body: services });

describe('login', () => {
  it('obtains a token for a code that the browser brings, with a proof key', async () => {
    const bench = new Bench(
      {
        '/.well-known/terraform.json': discovery({ 'login.v1': LOGIN }),
        '/token': { body: { access_token: 'secret', token_type: 'bearer' } },
      },
      { approve: 'yes' },
    );
    const { diagnostics, done } = await bench.logIn();
    expect(diagnostics).toEqual([]);
    expect(done).toEqual({ host: 'example.com', kind: 'oauth' });
    const page = bench.events.find((event) => event.kind === 'page');
    expect(page?.url).toMatch(/^https:\/\/example\.com\/authz\?x=1&client_id=id&code_challenge=/);
    expect(page?.opened).toBe(false);
    const sent = new URLSearchParams(String(bench.requests.at(-1)?.body));
    expect(Object.fromEntries(sent)).toMatchObject({
      grant_type: 'authorization_code',
      code: 'c',
      client_id: 'id',
      redirect_uri: 'http://localhost:20001/login',
    });
    expect(bench.closed).toBe(true);
    expect(await bench.stored()).toEqual({ credentials: { 'example.com': { token: 'secret' } } });
    const out = await logOut(openProject(bench.host), 'example.com', () => undefined);
    expect(out).toEqual({ diagnostics: [], host: 'example.com', removed: true });
    expect(await bench.stored()).toEqual({ credentials: {} });
  });

  it('accepts a token that the user pastes, and requests its owner', async () => {
    const bench = new Bench(
      {
        '/.well-known/terraform.json': discovery({ 'tfe.v2': '/api/v2/' }),
        '/api/v2/account/details': { body: { data: { attributes: { username: 'alice' } } } },
      },
      { approve: 'yes', token: ' pasted ' },
    );
    const { done } = await bench.logIn();
    expect(done?.kind).toBe('enterprise');
    expect(bench.events.at(-1)).toEqual({ kind: 'user', name: 'alice' });
    expect(bench.requests.at(-1)?.headers?.['authorization']).toBe('Bearer pasted');
    expect(await bench.stored()).toEqual({ credentials: { 'example.com': { token: 'pasted' } } });
  });

  const BY_PASSWORD = { 'login.v1': { ...LOGIN, authz: undefined, grant_types: ['password'] } };

  it('exchanges name and password for a token where the host wants that, and keeps neither', async () => {
    const bench = new Bench(
      {
        '/.well-known/terraform.json': discovery(BY_PASSWORD),
        '/token': { body: { access_token: 'secret', token_type: 'bearer' } },
      },
      { approve: 'yes', username: 'alice', password: 'hunter2' },
    );
    const { diagnostics, done } = await bench.logIn('app.terraform.io');
    expect(diagnostics).toEqual([]);
    expect(done).toEqual({ host: 'app.terraform.io', kind: 'cloud' });
    expect(bench.events.map(({ kind }) => kind)).toEqual(['begin', 'password']);
    const sent = bench.requests.find(({ url }) => url.endsWith('/token'));
    expect(Object.fromEntries(new URLSearchParams(String(sent?.body)))).toMatchObject({
      grant_type: 'password',
      username: 'alice',
      password: 'hunter2',
      scope: 'a b',
    });
    expect(await bench.stored()).toEqual({
      credentials: { 'app.terraform.io': { token: 'secret' } },
    });
  });

  it.each([
    [{}, {}, 'Failed to request username: EOF'],
    [{ username: 'alice' }, {}, 'Failed to request password: EOF'],
    [
      { username: 'alice', password: 'wrong' },
      { '/token': { status: 400, body: { error: 'invalid_grant' } } },
      'Failed to retrieve API token',
    ],
  ])(
    'by password fails if the user enters %j and the host responds %j',
    async (user, answers, summary) => {
      const bench = new Bench(
        { '/.well-known/terraform.json': discovery(BY_PASSWORD), ...answers },
        { approve: 'yes', ...Object.fromEntries(Object.entries(user)) },
      );
      const { diagnostics, done } = await bench.logIn('app.terraform.io');
      expect(done).toBeUndefined();
      expect(diagnostics.at(-1)?.summary).toBe(summary);
      expect(JSON.stringify(diagnostics)).not.toContain('wrong');
    },
  );

  it.each([
    [{ 'login.v1': LOGIN }, {}, { approve: 'no' }, 'Login cancelled'],
    [{ 'login.v1': LOGIN }, {}, {}, 'Login cancelled'],
    [{}, {}, {}, 'Host does not support Terraform tokens API'],
    [{ 'login.v2': {} }, {}, {}, 'Host does not support Terraform tokens API'],
    [
      { 'login.v1': { ...LOGIN, grant_types: ['password'] } },
      {},
      { approve: 'yes' },
      'Host does not support Terraform login',
    ],
    [
      { 'login.v1': LOGIN },
      { '/token': { status: 400, body: { error: 'invalid_grant' } } },
      { approve: 'yes' },
      'Failed to obtain auth token',
    ],
    [
      { 'login.v1': { ...LOGIN, ports: [20_000, 20_000] } },
      {},
      { approve: 'yes' },
      "Can't start temporary login server",
    ],
    [
      { 'tfe.v2': '/api/' },
      { '/api/account/details': { status: 401, body: {} } },
      { approve: 'yes', token: 'x' },
      'Token is invalid: unauthorized',
    ],
  ])('ends for %j with %j if the user enters %j', async (services, answers, user, summary) => {
    const bench = new Bench(
      { '/.well-known/terraform.json': discovery(services), ...answers },
      Object.fromEntries(Object.entries(user)),
    );
    const { diagnostics, done } = await bench.logIn();
    expect(done).toBeUndefined();
    expect(diagnostics.at(-1)?.summary).toBe(summary);
  });
});
