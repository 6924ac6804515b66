// Strangers who speak to a run server: requests that end in the middle of another one, headers that occur twice or never
// end, addresses and cookies of somebody else, URLs that were used before, and events that nobody sent.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../interop/free-port.ts';
import { PROGRAM } from './fixture.ts';

let directory: string;
let server: ChildProcess;
let output = '';
let port: number;
let token: string;
/** How long anything may take on a machine that other tests occupy. */
const LIMIT_MS = 240_000;
/** connections that send their headers slowly, opened at the start because the server gives them time */
let slow: { readonly socket: TLSSocket; closedAt: number | undefined; readonly openedAt: number };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'terrane-hostile-server-'));
  port = await freePort();
  server = spawn(PROGRAM, ['server', '-dev', `-listen=127.0.0.1:${port}`], {
    cwd: directory,
    env: { PATH: process.env['PATH'], HOME: directory, TF_LOG: 'debug' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  for (let tries = 0; !output.includes('The server is running'); tries++) {
    if (tries > LIMIT_MS / 100 || server.exitCode !== null)
      throw new Error(`The server did not start: ${output}`);
    await sleep(100);
  }
  token = readFileSync(join(directory, '.terrane-server/token'), 'utf8').trim();
  slow = await openSlowly();
});
afterAll(async () => {
  slow?.socket.destroy();
  if (server?.exitCode === null) {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
  }
  rmSync(directory, { recursive: true, force: true });
});

async function open(): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

async function openSlowly(): Promise<typeof slow> {
  const socket = await open();
  const state: typeof slow = { socket, closedAt: undefined, openedAt: Date.now() };
  socket.on('data', () => undefined);
  socket.once('close', () => (state.closedAt = Date.now()));
  socket.write('GET /api/v2/ping HTTP/1.1\r\nHost: localhost\r\n');
  const timer = setInterval(() => {
    if (state.closedAt === undefined) socket.write('X-Slow: 1\r\n');
    else clearInterval(timer);
  }, 2_000);
  timer.unref();
  return state;
}

/** Sends bytes as they are, and returns all that the server sends until it closes the connection. */
async function raw(text: string): Promise<string> {
  const socket = await open();
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(text);
  await closed;
  return answer;
}

const statuses = (answer: string): readonly string[] =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status = '']) => status);

interface Answer {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of responses, whose form is that of the API
  readonly json: any;
}

/** Sends a request with exact headers, and returns its response. */
async function send(
  method: string,
  path: string,
  headers: readonly string[] = [],
  body: Uint8Array = Buffer.alloc(0),
): Promise<Answer> {
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...(headers.some((line) => line.startsWith('Host:')) ? [] : [`Host: localhost:${port}`]),
    ...headers,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const socket = await open();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (body.length > 0) socket.write(body);
  await closed;
  const text = Buffer.concat(chunks).toString('utf8');
  const content = /\{[\s\S]*\}/.exec(text.slice(text.indexOf('\r\n\r\n')))?.[0];
  const isJson = /content-type: [\w./+]*json/i.test(text);
  return {
    status: Number(statuses(text)[0]),
    text,
    json: isJson && content !== undefined ? JSON.parse(content) : undefined,
  };
}

const authorized = (): readonly string[] => [
  `Authorization: Bearer ${token}`,
  'Content-Type: application/vnd.api+json',
];
const document = (type: string, attributes: object): Buffer =>
  Buffer.from(JSON.stringify({ data: { type, attributes } }));
const pathOf = (url: string): string => new URL(url).pathname;

async function newWorkspace(name: string): Promise<string> {
  const path = '/api/v2/organizations/dev/workspaces';
  const { json } = await send('POST', path, authorized(), document('workspaces', { name }));
  return json.data.id;
}

async function newUpload(workspace: string, attributes: object = {}): Promise<Answer['json']> {
  const path = `/api/v2/workspaces/${workspace}/configuration-versions`;
  const body = document('configuration-versions', attributes);
  return (await send('POST', path, authorized(), body)).json.data;
}

describe('requests that hide another one', () => {
  const hidden = (): string =>
    `GET /api/v2/account/details HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;

  it.each([
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 90\r\n'],
    ['a list of lengths', 'Content-Length: 0, 90\r\n'],
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
    ['chunks by another name', 'Transfer-Encoding: xchunked\r\n'],
    ['chunks that are not last', 'Transfer-Encoding: chunked, identity\r\n'],
    ['a space before the colon', 'Content-Length : 4\r\n'],
    ['a line that continues', 'Content-Length:\r\n 4\r\n'],
    ['a bare line feed', 'X-A: b\nContent-Length: 4\r\n'],
    ['a length that is no number', 'Content-Length: +4\r\n'],
    ['a zero byte', 'X-A: \0b\r\n'],
  ])('with %s are refused as a whole', async (_name, headers) => {
    const answer = await raw(
      `POST /api/v2/ping HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n0\r\n\r\n${hidden()}`,
    );
    expect(statuses(answer)).toEqual(['400']);
    expect(answer).not.toContain('"username"');
  });

  it('with chunks whose sizes are wrong end the connection', async () => {
    const answer = await raw(
      `POST /api/v2/ping HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcdEXTRA\r\n0\r\n\r\n${hidden()}`,
    );
    expect(answer).not.toContain('"username"');
    expect(statuses(answer)).not.toContain('200');
  });
});

describe('headers', () => {
  it('that occur twice do not choose between two tokens', async () => {
    const twice = (first: string, second: string) =>
      send('GET', '/api/v2/account/details', [
        `Authorization: Bearer ${first}`,
        `Authorization: Bearer ${second}`,
      ]);
    expect((await twice('wrong', token)).status).toBe(401);
    expect((await twice(token, 'wrong')).status).toBe(401);
  });

  it('without end are refused', async () => {
    const long = `X-Long: ${'a'.repeat(20_000)}\r\n`;
    const answer = await raw(`GET /api/v2/ping HTTP/1.1\r\nHost: localhost\r\n${long}\r\n`);
    expect(statuses(answer)).toEqual(['431']);
    const many = Array.from({ length: 3_000 }, (_, index) => `X-${index}: aaaa\r\n`).join('');
    const other = await raw(`GET /api/v2/ping HTTP/1.1\r\nHost: localhost\r\n${many}\r\n`);
    expect(statuses(other)).toEqual(['431']);
  });

  it('with the name of another host do not appear in URLs', async () => {
    const workspace = await newWorkspace('hosts');
    const path = `/api/v2/workspaces/${workspace}/configuration-versions`;
    const forged = ['Host: evil.example', 'X-Forwarded-Host: evil.example', 'Forwarded: host=evil'];
    const body = document('configuration-versions', {});
    const { status, text } = await send('POST', path, [...forged, ...authorized()], body);
    expect(status).toBe(201);
    expect(text).not.toContain('evil');
    expect(text).toContain(`https://localhost:${port}/`);
  });

  it('without a host are refused', async () => {
    expect(statuses(await raw('GET /api/v2/ping HTTP/1.1\r\n\r\n'))).toEqual(['400']);
  });
});

describe('signed URLs', () => {
  it('are not accepted twice, for another object, method or time', async () => {
    const workspace = await newWorkspace('signed');
    const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
    const archive = gzipSync(tar);
    const held = { 'auto-queue-runs': false };
    const [first, second] = [await newUpload(workspace, held), await newUpload(workspace, held)];
    const path = pathOf(first.attributes['upload-url']);
    expect((await send('PUT', path, [], archive)).status).toBe(200);
    expect((await send('PUT', path, [], archive)).status).toBe(404);
    const replaced = path.replace(first.id, second.id);
    expect((await send('PUT', replaced, [], archive)).status).toBe(404);
    const own = pathOf(second.attributes['upload-url']);
    expect((await send('GET', own)).status).toBe(404);
    const later = own.replace(/_signed\/(\d+)/, (_, time: string) => `_signed/${Number(time) + 1}`);
    expect((await send('PUT', later, [], archive)).status).toBe(404);
    expect((await send('PUT', `${own}/../upload`, [], archive)).status).toBe(200);
  });

  it('accept one of two uploads at the same time', async () => {
    const workspace = await newWorkspace('raced');
    const { id, attributes } = await newUpload(workspace, { 'auto-queue-runs': false });
    const content = async (name: string): Promise<Buffer> =>
      gzipSync(await packTar([{ header: { name, size: 0, type: 'file' } }]));
    const archives = await Promise.all(['a.tf', 'b.tf', 'c.tf', 'd.tf'].map(content));
    const path = pathOf(attributes['upload-url']);
    const answers = await Promise.all(archives.map((each) => send('PUT', path, [], each)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 404, 404, 404,
    ]);
    const read = await send('GET', `/api/v2/configuration-versions/${id}`, authorized());
    expect(read.json.data.attributes.status).toBe('uploaded');
  });
});

describe('pages of somebody else', () => {
  it('neither use the session of a browser nor the API with its cookie', async () => {
    const form = (text: string) => ['Content-Type: application/x-www-form-urlencoded', text];
    const signIn = await send(
      'POST',
      '/app/-/sign-in',
      form(`Origin: https://localhost:${port}`),
      Buffer.from(`token=${encodeURIComponent(token)}`),
    );
    const cookie = /set-cookie: ([^;\r]+)/i.exec(signIn.text)?.[1] ?? '';
    expect(cookie).not.toBe('');
    expect(signIn.text).toMatch(/set-cookie: [^\r]*HttpOnly/i);
    await newWorkspace('pages');
    const lock = (origin: string) =>
      send(
        'POST',
        '/app/dev/workspaces/pages/lock',
        [`Cookie: ${cookie}`, ...form(`Origin: ${origin}`)],
        Buffer.from('reason=x'),
      );
    expect((await lock('https://evil.example')).status).toBe(403);
    // Of the same origin, but without the token of the form.
    expect((await lock(`https://localhost:${port}`)).status).toBe(403);
    expect((await send('GET', '/api/v2/account/details', [`Cookie: ${cookie}`])).status).toBe(401);
  });
});

describe('events', () => {
  it('of repositories that nobody connected look like those with a wrong signature', async () => {
    const body = Buffer.from('{"ref":"refs/heads/main"}');
    const headers = ['X-GitHub-Event: push', 'X-Hub-Signature-256: sha256=00'];
    expect((await send('POST', '/webhooks/vcs/vr-unknown', headers, body)).status).toBe(404);
  });
});

describe('texts', () => {
  it('of requests put no lines or escape sequences into the log', async () => {
    const text = 'x%0d%0a2026-01-01 [ERROR] forged%1b[2J';
    await send('GET', `/api/v2/${text}`);
    await send('GET', `/app/-/sign-in?next=${text}`);
    await send('GET', '/api/v2/ping', ['User-Agent: a\u001b[2Jb']);
    const name = 'a\u001b[2J\n[ERROR] forged';
    const path = '/api/v2/organizations/dev/workspaces';
    const { status } = await send('POST', path, authorized(), document('workspaces', { name }));
    expect(status).toBe(422);
    expect(output).not.toContain('\u001b[2J');
    expect(output).not.toMatch(/^.{0,30}\[ERROR\] forged/m);
  });

  it('of responses are never pages that a browser executes', async () => {
    const path = '/api/v2/organizations/%3Cscript%3Ealert(1)%3C%2Fscript%3E';
    const { text } = await send('GET', path, authorized());
    expect(text).not.toContain('<script>');
    expect(text).toMatch(/content-type: application\/vnd\.api\+json/i);
    expect(text).toMatch(/x-content-type-options: nosniff/i);
  });
});

describe('archives that grow when they are unpacked', () => {
  it('are refused by the agent, and the server goes on', async () => {
    const workspace = await newWorkspace('bomb');
    // 600 MiB of zeros: 600 kB.
    const archive = gzipSync(Buffer.alloc(600 * 1024 * 1024), { level: 1 });
    const { attributes } = await newUpload(workspace);
    expect((await send('PUT', pathOf(attributes['upload-url']), [], archive)).status).toBe(200);
    const runs = async (): Promise<string> => {
      const { json } = await send('GET', `/api/v2/workspaces/${workspace}/runs`, authorized());
      return json.data[0]?.attributes.status ?? 'none';
    };
    let status = 'none';
    for (let tries = 0; tries < LIMIT_MS / 500 && status !== 'errored'; tries++) {
      await sleep(500);
      status = await runs();
    }
    expect(status).toBe('errored');
    expect((await send('GET', '/api/v2/ping')).status).toBe(204);
  });
});

// Last, because the server gives a client 20 seconds for its headers, and five minutes for a request.
describe('clients that send one header after another', () => {
  it('are disconnected after a while', async () => {
    for (let tries = 0; tries < LIMIT_MS / 500 && slow.closedAt === undefined; tries++) {
      await sleep(500);
    }
    expect(slow.closedAt).toBeDefined();
    expect((slow.closedAt ?? 0) - slow.openedAt).toBeLessThan(240_000);
  });
});
