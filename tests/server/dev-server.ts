// `terrane server -dev` as a process, and a client of its API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../interop/free-port.ts';
import { TERRANE } from './run-server.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of responses, whose form is that of the API
type Json = any;

interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: Json;
}

/** A server with an embedded database and an agent, and its first user. */
export interface DevServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** what the server has printed, with its log */
  output(): string;
  call(method: string, path: string, body?: object): Promise<ApiAnswer>;
  /** Creates a resource of the organization `dev` or of another path; returns it. Rejects if it is refused. */
  create(path: string, type: string, attributes: object, relationships?: object): Promise<Json>;
}

/** Starts a server in an empty directory. */
export async function startDevServer(port?: number): Promise<DevServer> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-server-'));
  const chosen = port ?? (await freePort());
  const url = `https://localhost:${chosen}`;
  const child = spawn(TERRANE, ['server', '-dev', `-listen=127.0.0.1:${chosen}`, '-data=data'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, TF_LOG: 'WARN' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const end = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) {
      const ended = once(child, 'exit');
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !output.includes('The server is running'); tries++) {
    if (tries > 2_400 || child.exitCode !== null) {
      await end();
      throw new Error(`The server did not start: ${output}`);
    }
    await sleep(100);
  }
  const token = (await readFile(join(folder, 'data/token'), 'utf8')).trim();
  const ca = await readFile(join(folder, 'data/certificate.pem'), 'utf8');
  const call = async (method: string, path: string, body?: object): Promise<ApiAnswer> => {
    const outgoing = request(`${url}${path}`, {
      method,
      ca,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/vnd.api+json',
      },
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = await once(outgoing, 'response');
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    const json: Json = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: Number(answer.statusCode), text, json };
  };
  return {
    url,
    token,
    call,
    output: () => output,
    async create(path, type, attributes, relationships = {}) {
      const { status, text, json } = await call('POST', path, {
        data: { type, attributes, relationships },
      });
      if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
      return json.data;
    },
    [Symbol.asyncDispose]: end,
  };
}
