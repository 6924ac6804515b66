// Operation of the run server with PostgreSQL: backup, shutdown, crashes, and its registry with unchanged clients.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { packTar } from 'modern-tar';
import * as openpgp from 'openpgp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../backends/self-signed.ts';
import { freePort } from '../interop/free-port.ts';
import { postgresqlProgram } from '../interop/postgresql.ts';
import { runRounds } from './crash/rounds.ts';
import { createInstallation, type Installation, TERRANE } from './run-server.ts';

const run = promisify(execFile);
const canRun = process.env['CI'] === 'true' || postgresqlProgram('initdb') !== undefined;

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of responses, whose form is that of the API
type Json = any;

let installation: Installation;

async function call(port: number, method: string, path: string, body?: unknown): Promise<Json> {
  const isBytes = body instanceof Uint8Array;
  const target = path.startsWith('http') ? new URL(path).pathname : path;
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: isBytes
      ? {}
      : {
          authorization: `Bearer ${installation.token}`,
          'content-type': 'application/vnd.api+json',
        },
    ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
  });
  expect(response.status, `${method} ${path}`).toBeLessThan(300);
  const text = await response.text();
  return text.startsWith('{') ? JSON.parse(text) : text;
}

const create = (type: string, attributes: object) => ({ data: { type, attributes } });

describe.skipIf(!canRun)('the operation of the run server', () => {
  beforeAll(async () => {
    installation = await createInstallation();
  });
  afterAll(async () => {
    await installation?.[Symbol.asyncDispose]();
  });

  it('restores a backup of pg_dump with its secrets', async () => {
    const port = await freePort();
    const server = await installation.startServer(port);
    const { data } = await call(
      port,
      'POST',
      '/api/v2/organizations/acme/workspaces',
      create('workspaces', { name: 'kept' }),
    );
    await call(
      port,
      'POST',
      `/api/v2/workspaces/${data.id}/vars`,
      create('vars', { key: 'k', value: 'secret value', category: 'env' }),
    );
    const dump = join(installation.folder, 'terrane.dump');
    const database = `postgres://postgres@127.0.0.1:${installation.database.port}`;
    await run(postgresqlProgram('pg_dump') ?? '', ['--file', dump, `${database}/postgres`]);
    expect(await readFile(dump, 'utf8')).not.toContain('secret value');
    const psql = postgresqlProgram('psql') ?? '';
    await run(psql, ['-c', 'CREATE DATABASE restored', `${database}/postgres`]);
    await run(psql, ['-q', '-v', 'ON_ERROR_STOP=1', '-f', dump, `${database}/restored`]);
    await installation.end(server, 'SIGKILL');
    const restored = await installation.startServer(port, `-database=${database}/restored`);
    const variables = await call(port, 'GET', `/api/v2/workspaces/${data.id}/vars`);
    expect(variables.data[0].attributes.value).toBe('secret value');
    await installation.end(restored, 'SIGKILL');
  });

  it('refuses floods of headers, and serves others while connections send slowly', async () => {
    const port = await freePort();
    const server = await installation.startServer(port);
    const send = async (text: string): Promise<string> => {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      socket.on('data', (bytes) => (answer += bytes.toString()));
      socket.on('error', () => undefined);
      socket.write(text);
      await once(socket, 'close');
      return answer;
    };
    const flood = `GET / HTTP/1.1\r\nHost: x\r\n${`X-H: ${'a'.repeat(1_000)}\r\n`.repeat(64)}\r\n`;
    expect(await send(flood)).toContain(' 431 ');
    const smuggled =
      'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /';
    expect(await send(smuggled)).toContain(' 400 ');
    const slow = Array.from({ length: 100 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        'POST /oauth/token HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.9\r\nContent-Length: 1000\r\n\r\na',
      );
      return socket;
    });
    await call(port, 'GET', '/api/v2/account/details');
    for (const socket of slow) socket.destroy();
    const output = server.output();
    for (const secret of [installation.token, installation.agentToken]) {
      expect(output).not.toContain(secret);
    }
    await installation.end(server, 'SIGKILL');
  });

  it('ends waiting requests on SIGTERM, then exits', async () => {
    const port = await freePort();
    const server = await installation.startServer(port);
    const agent = async (path: string, body: object): Promise<Response> =>
      await fetch(`http://127.0.0.1:${port}/api/agent/v1${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${installation.agentToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
    const { id } = (await (await agent('/agents', { name: 'waiting' })).json()) as { id: string };
    const sql = async (statement: string): Promise<string> => {
      const url = `postgres://postgres@127.0.0.1:${installation.database.port}/postgres`;
      return (await run(postgresqlProgram('psql') ?? '', ['-qtAc', statement, url])).stdout.trim();
    };
    await sql("UPDATE agents SET status = 'unknown'");
    const claim = agent('/jobs/claim', { agent: id, 'wait-ms': 25_000 });
    // The server has the request.
    while ((await sql(`SELECT status FROM agents WHERE id = '${id}'`)) !== 'idle') await sleep(50);
    const ended = once(server.child, 'exit');
    process.kill(server.child.pid ?? 0, 'SIGTERM');
    expect((await claim).status).toBe(204);
    expect((await ended)[0]).toBe(0);
  });

  it('serves modules and providers to unchanged clients over TLS', async () => {
    const port = await freePort();
    // Hosts of modules have a dot.
    const host = `127.0.0.1:${port}`;
    const { certificate, key } = selfSigned('127.0.0.1');
    await writeFile(join(installation.folder, 'cert.pem'), certificate);
    await writeFile(join(installation.folder, 'key.pem'), key);
    const plain = await freePort();
    const url = `-url=https://${host}`;
    const publisher = await installation.startServer(plain, url);
    const server = await installation.startServer(
      port,
      url,
      '-tls-cert=cert.pem',
      '-tls-key=key.pem',
    );
    const api = async (method: string, path: string, body?: unknown): Promise<Json> =>
      await call(plain, method, path, body);
    const modules = '/api/v2/organizations/acme/registry-modules';
    await api('POST', modules, create('registry-modules', { name: 'greeting', provider: 'null' }));
    const module = await api(
      'POST',
      `${modules}/private/acme/greeting/null/versions`,
      create('registry-module-versions', { version: '1.0.0' }),
    );
    const text = 'output "greeting" {\n  value = "from the registry"\n}\n';
    const tar = await packTar([
      { header: { name: 'main.tf', size: text.length, type: 'file' }, body: text },
    ]);
    await api('PUT', module.data.links.upload, gzipSync(tar));

    const { privateKey, publicKey } = await openpgp.generateKey({
      userIDs: [{ name: 'Releases', email: 'releases@example.com' }],
      format: 'object',
    });
    const gpg = await api(
      'POST',
      '/api/registry/private/v2/gpg-keys',
      create('gpg-keys', { namespace: 'acme', 'ascii-armor': publicKey.armor() }),
    );
    const providers = '/api/v2/organizations/acme/registry-providers';
    await api('POST', providers, create('registry-providers', { name: 'tools' }));
    const versions = `${providers}/private/acme/tools/versions`;
    const version = await api(
      'POST',
      versions,
      create('registry-provider-versions', {
        version: '1.0.0',
        'key-id': gpg.data.attributes['key-id'],
        protocols: ['5.0'],
      }),
    );
    const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';
    const zip = zipSync({ 'terraform-provider-tools_v1.0.0': strToU8('#!/bin/sh\nexit 1\n') });
    const filename = `terraform-provider-tools_1.0.0_${process.platform}_${arch}.zip`;
    const shasum = createHash('sha256').update(zip).digest('hex');
    const platform = await api(
      'POST',
      `${versions}/1.0.0/platforms`,
      create('registry-provider-version-platforms', {
        os: process.platform,
        arch,
        shasum,
        filename,
      }),
    );
    const sums = new TextEncoder().encode(`${shasum}  ${filename}\n`);
    const signature = await openpgp.sign({
      message: await openpgp.createMessage({ binary: sums }),
      signingKeys: privateKey,
      detached: true,
      format: 'binary',
    });
    await api('PUT', version.data.links['shasums-upload'], sums);
    await api('PUT', version.data.links['shasums-sig-upload'], signature as Uint8Array);
    await api('PUT', platform.data.links['provider-binary-upload'], zip);

    const environment = {
      ...installation.environment,
      SSL_CERT_FILE: join(installation.folder, 'cert.pem'),
      TF_CLI_CONFIG_FILE: join(installation.folder, 'registry.rc'),
    };
    const credentials = `credentials "${host}" {\n  token = "${installation.token}"\n}\n`;
    await writeFile(join(installation.folder, 'registry.rc'), credentials);
    for (const [name, program] of [
      ['terraform', 'terraform'],
      ['terrane', TERRANE],
    ] as const) {
      const directory = join(installation.folder, `registry-${name}`);
      await mkdir(directory);
      await writeFile(
        join(directory, 'main.tf'),
        `terraform {\n  required_providers {\n    tools = {\n      source = "${host}/acme/tools"\n    }\n  }\n}\nmodule "greeting" {\n  source  = "${host}/acme/greeting/null"\n  version = "~> 1.0"\n}\n`,
      );
      const options = { cwd: directory, env: environment };
      const { stdout } = await run(program, ['init', '-no-color', '-input=false'], options);
      expect(stdout, name).toMatch(/Installed 127\.0\.0\.1:\d+\/acme\/tools v1\.0\.0/i);
      const lock = await readFile(join(directory, '.terraform.lock.hcl'), 'utf8');
      expect(lock).toContain(`zh:${shasum}`);
    }
    await installation.end(publisher, 'SIGKILL');
    await installation.end(server, 'SIGKILL');
  });
});

describe.skipIf(!canRun)('runs', () => {
  it('are neither lost nor executed twice when servers end and connections stall', async () => {
    const result = await runRounds({
      seed: 1,
      rounds: 1,
      workspaces: 2,
      agents: 1,
      faultsPerRound: 2,
      faults: ['server', 'cut'],
    });
    expect(result.problems).toEqual([]);
    expect(result.runs).toBe(2);
    expect(result.applied + result.errored).toBe(2);
  }, 420_000);
});
