// `login` as a whole: discovery, the browser, the code and its proof, the token and where it is kept, with a host on
// this machine whose certificate is made here.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { createServer, get, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import { makeCertificate } from '@terrane/plugin';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Terminal } from './terminal.ts';

const TOKEN = 'token-that-nobody-may-see';

/** A host that lets people in: its discovery document, the page where they agree, and the tokens that it gives. */
class LoginHost {
  readonly #server: Server;
  readonly certificate: string;
  #challenge = '';
  /** whether a token is given for the code */
  generous = true;

  private constructor(server: Server, certificate: string) {
    this.#server = server;
    this.certificate = certificate;
    const services = {
      'login.v1': {
        client: 'terrane-test',
        grant_types: ['authz_code'],
        authz: '/oauth/authorize',
        token: '/oauth/token',
        ports: [20_100, 20_200],
      },
    };
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '', 'https://localhost');
      const json = (status: number, body: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (url.pathname === '/.well-known/terraform.json') json(200, services);
      else if (url.pathname === '/oauth/authorize') {
        const asked = url.searchParams;
        this.#challenge = asked.get('code_challenge') ?? '';
        const back = new URL(asked.get('redirect_uri') ?? '');
        back.searchParams.set('code', 'the-code');
        back.searchParams.set('state', asked.get('state') ?? '');
        response.writeHead(302, { location: back.href });
        response.end();
      } else {
        let form = '';
        request.setEncoding('utf8').on('data', (text: string) => (form += text));
        request.on('end', () => {
          const parameters = new URLSearchParams(form);
          const proof = createHash('sha256').update(parameters.get('code_verifier') ?? '');
          const isProven = proof.digest('base64url') === this.#challenge;
          if (this.generous && isProven && parameters.get('code') === 'the-code')
            json(200, { access_token: TOKEN, token_type: 'bearer' });
          else json(400, { error: 'invalid_grant' });
        });
      }
    });
  }

  static async start(): Promise<LoginHost> {
    const { clock, random } = nodeHost();
    const { certificate, key } = makeCertificate(clock, random);
    const server = createServer({ cert: certificate, key });
    await new Promise<void>((done) => void server.listen(0, done));
    return new LoginHost(server, certificate);
  }

  get name(): string {
    // A server that listens on a port has an address with one.
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

let work: string;
let host: LoginHost;

beforeEach(async () => {
  work = mkdtempSync(join(tmpdir(), 'terrane-login-'));
  host = await LoginHost.start();
  writeFileSync(join(work, 'ca.pem'), host.certificate);
});

afterEach(async () => {
  await host.close();
  rmSync(work, { recursive: true, force: true });
});

/** Starts `login`, agrees, and goes to the page that it names as a browser does, by way of what that answers. */
async function logIn(): Promise<Terminal> {
  const env = { SSL_CERT_FILE: join(work, 'ca.pem'), BROWSER: 'true' };
  const terminal = await Terminal.start(['login', host.name], { cwd: work, columns: 500, env });
  await terminal.seen('Enter a value: ');
  terminal.type('yes\n');
  await terminal.seen('will now wait for the host to signal that login was successful.');
  const page = /https:\/\/localhost:\d+\/oauth\/authorize\?\S+/.exec(terminal.raw)?.[0] ?? '';
  expect(await browse(page)).toBe(200);
  return terminal;
}

/** Goes to the page, and where that sends the browser. */
async function browse(page: string): Promise<number | undefined> {
  const back = await new Promise<string>((done, fail) => {
    const request = get(page, { ca: host.certificate }, ({ headers }) =>
      done(headers.location ?? ''),
    );
    request.on('error', fail);
  });
  return await new Promise((done, fail) => {
    getPlain(back, (response) => {
      response.resume();
      done(response.statusCode);
    }).on('error', fail);
  });
}

describe('login to a host with a certificate of its own', () => {
  it('stores the token for the code and its proof, and uses it until the logout', async () => {
    const terminal = await logIn();
    await terminal.seen('Success! Terrane has obtained and saved an API token.');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw).not.toContain(TOKEN);
    const file = join(work, '.terraform.d/credentials.tfrc.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toStrictEqual({
      credentials: { [host.name]: { token: TOKEN } },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const out = await Terminal.start(['logout', host.name], { cwd: work });
    await out.seen('Success!');
    expect(await out.ended()).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
  });

  it('reports the reason without a token, and stores nothing', async () => {
    host.generous = false;
    const terminal = await logIn();
    await terminal.seen('Failed to obtain auth token');
    expect(await terminal.ended()).toBe(1);
    expect(() => readFileSync(join(work, '.terraform.d/credentials.tfrc.json'))).toThrow('ENOENT');
  });
});
