import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { bodyBytes, bodyText, BodyTooLarge } from './http-body.ts';
import { nodeHttp } from './node-http.ts';
import { nodeEnvironment } from './node-environment.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const http = nodeHttp(nodeEnvironment('/'));

it('sends method, headers and body, and returns status, headers and body', async () => {
  const base = await serve((request, response) => {
    void bodyText({ body: request }).then((text) => {
      response.writeHead(201, { 'X-Seen': `${request.method} ${request.headers['x-a']}` });
      response.end(`got ${text}`);
    });
  });
  const answer = await http.request(`${base}/x`, {
    method: 'PUT',
    headers: { 'X-A': 'b' },
    body: 'héllo',
  });
  expect([answer.status, answer.headers['x-seen'], answer.url]).toEqual([
    201,
    'PUT b',
    `${base}/x`,
  ]);
  expect(await bodyText(answer)).toBe('got héllo');
});

it('retries only reads, and only if an idle connection was closed', async () => {
  const used = new WeakSet<object>();
  const seen: string[] = [];
  const base = await serve((request, response) => {
    const { socket, method, url } = request;
    seen.push(`${method} ${url}`);
    if (used.has(socket) || url === '/never') {
      socket.destroy();
      return;
    }
    used.add(socket);
    response.end('fresh');
  });
  const ask = async (path: string, method: string): Promise<string> =>
    await bodyText(await http.request(`${base}${path}`, { method }));
  expect(await ask('/1', 'GET')).toBe('fresh');
  expect(await ask('/2', 'GET')).toBe('fresh');
  await expect(ask('/3', 'POST')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(ask('/never', 'GET')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(seen).toEqual(['GET /1', 'GET /2', 'GET /2', 'POST /3', 'GET /never']);
});

it('follows redirects, with credentials to the same origin only', async () => {
  const seen: string[] = [];
  const note = (request: IncomingMessage): void => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
  };
  const other = await serve((request, response) => {
    note(request);
    response.end('there');
  });
  const base = await serve((request, response) => {
    note(request);
    response.writeHead(302, { location: request.url === '/a' ? '/b' : `${other}/c` }).end();
  });
  const answer = await http.request(`${base}/a`, { headers: { authorization: 'Bearer x' } });
  expect([await bodyText(answer), answer.url]).toEqual(['there', `${other}/c`]);
  expect(seen).toEqual(['GET /a Bearer x', 'GET /b Bearer x', 'GET /c -']);
});

it('keeps method and body for 307 and 308, and uses GET for other redirects', async () => {
  const base = await serve((request, response) => {
    if (request.url === '/307') response.writeHead(307, { location: '/end' }).end();
    else if (request.url === '/303') response.writeHead(303, { location: '/end' }).end();
    else {
      void bodyText({ body: request }).then((text) => response.end(`${request.method} ${text}`));
    }
  });
  const sent = { method: 'POST', body: 'data' };
  expect(await bodyText(await http.request(`${base}/307`, sent))).toBe('POST data');
  expect(await bodyText(await http.request(`${base}/303`, sent))).toBe('GET ');
});

it('returns redirects in manual mode, and limits their number', async () => {
  const base = await serve((_, response) => {
    response.writeHead(301, { location: '/' }).end('moved');
  });
  const answer = await http.request(base, { redirect: 'manual' });
  expect([answer.status, await bodyText(answer)]).toEqual([301, 'moved']);
  await expect(http.request(base)).rejects.toThrow('stopped after 10 redirects');
});

it('fails after the time-out, and when the caller aborts', async () => {
  const base = await serve(() => undefined);
  await expect(http.request(base, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  const stop = new AbortController();
  const asked = http.request(base, { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

it('fails if the connection breaks or the caller aborts while the body is read', async () => {
  const base = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half');
    if (request.url === '/broken') setTimeout(() => response.destroy(), 5);
  });
  await expect(http.request(`${base}/broken`).then(bodyBytes)).rejects.toMatchObject({
    code: 'ECONNRESET',
  });
  const stop = new AbortController();
  const answer = await http.request(base, { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(bodyBytes(answer)).rejects.toThrow('enough');
});

it('refuses bodies beyond a limit', async () => {
  const base = await serve((_, response) => response.end('12345'));
  await expect(bodyBytes(await http.request(base), 4)).rejects.toThrow(BodyTooLarge);
  expect((await bodyBytes(await http.request(base), 5)).length).toBe(5);
});

it('names the reason for a failed connection', async () => {
  await expect(http.request('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(http.request('ftp://127.0.0.1/')).rejects.toThrow(
    'unsupported protocol scheme "ftp"',
  );
});

it('uses the proxy of the environment', async () => {
  const proxy = await serve((request, response) => response.end(`proxied ${request.url}`));
  const environment = nodeEnvironment('/');
  const through = nodeHttp({
    ...environment,
    get: (name) => (name === 'HTTP_PROXY' ? proxy : undefined),
  });
  const answer = await through.request('http://nowhere.invalid/path');
  expect(await bodyText(answer)).toBe('proxied http://nowhere.invalid/path');
});

it('requests of a session share one exclusive connection sequentially until it is closed', async () => {
  const heard: string[] = [];
  let underWay = 0;
  const base = await serve((request, response) => {
    underWay += 1;
    heard.push(`${request.url} ${request.socket.remotePort} ${underWay}`);
    setImmediate(() => {
      underWay -= 1;
      response.end('here');
    });
  });
  const [firstSession, other] = [http.openSession(), http.openSession()];
  const ask = async (session: typeof firstSession, path: string): Promise<string> =>
    await bodyText(await session.request(`${base}${path}`));
  await Promise.all([ask(firstSession, '/a'), ask(firstSession, '/b')]);
  await ask(firstSession, '/c');
  expect(heard.map((line) => line.replace(/ \d+ /, ' '))).toEqual(['/a 1', '/b 1', '/c 1']);
  await ask(other, '/d');
  const ports = heard.map((line) => line.split(' ')[1]);
  expect(new Set(ports.slice(0, 3)).size).toBe(1);
  expect(ports[3]).not.toBe(ports[0]);
  firstSession.close();
  await ask(other, '/e');
  expect(heard.at(-1)).toContain(ports[3]);
  other.close();
});

it('closing a session aborts pending requests', async () => {
  const session = http.openSession();
  const asked = serve((_request, _response) => session.close());
  await expect(session.request(await asked)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

// A busy machine may delay headers; bodies that are read in time come from memory.
const LIMITS = { headMs: 60_000, windowMs: 600, windowBytes: 100, discardMs: 200 };
const hasty = nodeHttp(nodeEnvironment('/'), LIMITS);

/** Sends a byte now and then, without end. */
function drip(response: ServerResponse, everyMs: number): void {
  const timer = setInterval(() => response.write('.'), everyMs);
  response.once('close', () => clearInterval(timer));
}

it('breaks off an answer whose body does not end within the time limit of the exchange', async () => {
  const base = await serve((_, response) => {
    response.writeHead(200);
    drip(response, 10);
  });
  const read = http.request(base, { timeoutMs: 200 }).then(bodyBytes);
  await expect(read).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

it('counts redirects to the time limit of the exchange', async () => {
  const base = await serve((_, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 80);
  });
  const asked = http.request(base, { timeoutMs: 200 });
  await expect(asked).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

it('aborts a response that is too slow, of any length', async () => {
  const base = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '1000000' });
    drip(response, 10);
  });
  const reading = bodyBytes(await hasty.request(base));
  await expect(reading).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  await expect(reading).rejects.toThrow('too slow');
});

it('aborts an answer that stalls, and one that does not begin', async () => {
  const base = await serve((request, response) => {
    if (request.url === '/stops') response.writeHead(200).write('x');
  });
  const stopped = bodyBytes(await hasty.request(`${base}/stops`));
  await expect(stopped).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  const silent = nodeHttp(nodeEnvironment('/'), { ...LIMITS, headMs: 300 }).request(base);
  await expect(silent).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

it('does not count the time that the reader takes', async () => {
  const base = await serve((_, response) => response.end(Buffer.alloc(1_000_000)));
  const { body } = await hasty.request(base);
  let size = 0;
  for await (const chunk of body) {
    if (size === 0) await new Promise((resolve) => setTimeout(resolve, 1400));
    size += chunk.length;
  }
  expect(size).toBe(1_000_000);
});

it('reads little of the body of a redirect, and waits little for it', async () => {
  let sent = 0;
  const base = await serve((request, response) => {
    if (request.url === '/') return void response.end('there');
    response.writeHead(302, { location: '/' });
    if (request.url === '/drips') {
      drip(response, 10);
      return;
    }
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65536))) sent += 65536;
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });
  expect(await bodyText(await hasty.request(`${base}/pours`))).toBe('there');
  expect(sent).toBeLessThan(16 * 1024 * 1024);
  expect(await bodyText(await hasty.request(`${base}/drips`))).toBe('there');
});

it.each([
  ['an answer that nobody reads', '/'],
  ['an endless redirect', '/loop'],
])('does not keep the process alive for %s', async (_, path) => {
  const base = await serve((request, response) => {
    if (request.url === '/loop') response.writeHead(302, { location: '/loop' });
    else response.writeHead(200);
    response.write('x');
  });
  const program = `
    const { nodeHttp } = await import(${JSON.stringify(import.meta.resolve('./node-http.ts'))});
    const { nodeEnvironment } = await import(${JSON.stringify(import.meta.resolve('./node-environment.ts'))});
    const http = nodeHttp(nodeEnvironment('/'), { discardMs: 50 });
    console.log(await http.request(${JSON.stringify(base + path)}).then(() => 'answered', (e) => e.message));
  `;
  const flags = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 300_000 });
  expect(stdout).toMatch(/answered|stopped after 10 redirects/);
});
