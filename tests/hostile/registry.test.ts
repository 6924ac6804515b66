// Registries that answer without end: `init` of the built program ends with an error, within its time limits.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { RegistryServer, type Fault } from '../registry/registry-server.ts';

const PROGRAM = resolve(import.meta.dirname, '../../packages/cli/dist/terrane.js');
const DISCOVERY = '/.well-known/terraform.json';
const PROVIDER_VERSIONS = '/v1/providers/acme/thing/versions';
const SERVICES = JSON.stringify({ 'providers.v1': '/v1/providers/' });

let server: RegistryServer;
let directory: string;
beforeAll(async () => {
  server = await RegistryServer.start();
});
afterAll(() => server.close());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'terrane-registry-'));
  server.faults.clear();
  server.asked.length = 0;
  server.faults.set(DISCOVERY, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(SERVICES);
    return true;
  });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function writeForever(response: ServerResponse, everyMs: number, piece: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(piece), everyMs);
  response.on('close', () => clearInterval(timer));
}

const ATTACKS: Readonly<Record<string, Fault>> = {
  'never begins': () => true,
  'drips for ever': (_request, response) => {
    writeForever(response, 100, ' ');
    return true;
  },
  'is endless': (_request, response) => {
    writeForever(response, 1, ' '.repeat(1024 ** 2));
    return true;
  },
  'redirects to itself': (request, response) => {
    response.writeHead(302, { location: `https://${server.host}${request.url ?? ''}` });
    response.end();
    return true;
  },
};

/** Runs init; the exit code, or `undefined` if it did not end within 90 seconds. */
async function init(): Promise<{ readonly code: number | undefined; readonly stderr: string }> {
  writeFileSync(join(directory, 'ca.pem'), server.certificate);
  const child = spawn(process.execPath, [PROGRAM, 'init', '-no-color', '-input=false'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      SSL_CERT_FILE: join(directory, 'ca.pem'),
      TF_REGISTRY_CLIENT_TIMEOUT: '1',
      TF_REGISTRY_DISCOVERY_RETRY: '0',
    },
  });
  let stderr = '';
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), 240_000);
  const code = await new Promise<number | undefined>((done) => {
    child.once('close', (status) => done(status ?? undefined));
  });
  clearTimeout(timer);
  return { code, stderr };
}

const provider = (): string =>
  `terraform {\n  required_providers {\n    thing = { source = "${server.host}/acme/thing" }\n  }\n}\n`;

it.each(
  Object.keys(ATTACKS).flatMap((attack) => [
    { attack, path: DISCOVERY, subject: 'discovery' },
    { attack, path: PROVIDER_VERSIONS, subject: 'versions of a provider' },
  ]),
)('init ends if the answer with $subject $attack', async ({ attack, path }) => {
  const fault = ATTACKS[attack];
  if (fault !== undefined) server.faults.set(path, fault);
  writeFileSync(join(directory, 'main.tf'), provider());
  const { code, stderr } = await init();
  expect(server.asked.map((asked) => asked.path)).toContain(path);
  expect(code).toBe(1);
  expect(stderr).toContain('Error: ');
});
