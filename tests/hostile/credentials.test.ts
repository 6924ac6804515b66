// Credentials are sent to the origin that they are for, over TLS, and nowhere else.
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { nodeHost } from '@terrane/host';
import { makeCertificate } from '@terrane/plugin';
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type Ended, Work } from './fixture.ts';

let pair: { readonly certificate: string; readonly key: string };
/** Requests that carried the token, by server. */
let leaks: string[];
let requests: string[];

beforeAll(() => {
  const { clock, random } = nodeHost();
  pair = makeCertificate(clock, random);
});
beforeEach(() => {
  leaks = [];
  requests = [];
});

/** Starts a server that notes who asks; its port. */
async function serve(name: string, listener: RequestListener, secure = true): Promise<number> {
  const noting: RequestListener = (request, response) => {
    requests.push(`${name} ${request.url}`);
    if (JSON.stringify(request.headers).includes('s3cret')) leaks.push(`${name} ${request.url}`);
    listener(request, response);
  };
  const server = secure
    ? createServer({ cert: pair.certificate, key: pair.key }, noting)
    : createPlainServer(noting);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const missing: RequestListener = (_, response) => response.writeHead(404).end('no');

/** A host that is asked by a proxy, as it is not this machine. */
const FOREIGN = 'foreign.localtest';

const json = (body: unknown): RequestListener => {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};

/** Runs init in a project with a module, a provider and services of the host `reg.example`. */
async function init(
  configuration: string,
  services: Readonly<Record<string, string>>,
  proxyPort?: number,
): Promise<Ended> {
  const named = Object.entries(services).map(([name, url]) => `"${name}" = "${url}"`);
  const work = new Work({
    'main.tf': configuration,
    'ca.pem': pair.certificate,
    'cli.tfrc': `host "reg.example" {\n  services = {\n    ${named.join('\n    ')}\n  }\n}\ncredentials "reg.example" {\n  token = "s3cret"\n}\n`,
  });
  const env = {
    TF_CLI_CONFIG_FILE: work.at('cli.tfrc'),
    SSL_CERT_FILE: work.at('ca.pem'),
    TF_REGISTRY_DISCOVERY_RETRY: '0',
    ...(proxyPort === undefined ? {} : { HTTP_PROXY: `http://127.0.0.1:${proxyPort}` }),
  };
  return await work.run(['init', '-no-color'], { env });
}

const MODULE = 'module "m" {\n  source  = "reg.example/acme/m/x"\n  version = "1.0.0"\n}\n';
const PROVIDER =
  'terraform {\n  required_providers {\n    x = { source = "reg.example/acme/x" }\n  }\n}\n';
const CLOUD =
  'terraform {\n  cloud {\n    hostname     = "reg.example"\n    organization = "acme"\n    workspaces {\n      name = "w"\n    }\n  }\n}\n';

it.each([
  ['a module registry', MODULE, 'modules.v1'],
  ['a provider registry', PROVIDER, 'providers.v1'],
  ['a cloud', CLOUD, 'tfe.v2'],
])('the token is not sent to %s over plain http', async (_, configuration, service) => {
  // A proxy stands for all servers that are asked without encryption.
  const proxy = await serve('plain', missing, false);
  const ended = await init(configuration, { [service]: `http://${FOREIGN}/v1/` }, proxy);
  expect(ended.code).toBe(1);
  expect(leaks).toEqual([]);
  expect(ended.stderr.replaceAll(/\s+/g, ' ')).toContain(
    `he credentials for reg.example are not sent to http://${FOREIGN}, which is not encrypted`,
  );
});

/** A registry of modules whose packages are at `location`. */
function moduleRegistry(location: string): RequestListener {
  return (request, response) => {
    const body = request.url?.endsWith('/versions')
      ? { modules: [{ versions: [{ version: '1.0.0' }] }] }
      : { location, use_registry_credentials: true };
    json(body)(request, response);
  };
}

it.each([
  ['another port', (port: number) => `https://localhost:${port}/m.zip`],
  ['another host', (port: number) => `https://127.0.0.1:${port}/m.zip`],
  ['plain http', (_: number, plain: number) => `http://localhost:${plain}/m.zip`],
  ['plain http elsewhere', () => `http://${FOREIGN}/m.zip`],
])('use_registry_credentials does not send the token to %s', async (_, location) => {
  const other = await serve('other', missing);
  const plain = await serve('plain', missing, false);
  const registry = await serve('registry', moduleRegistry(location(other, plain)));
  const ended = await init(MODULE, { 'modules.v1': `https://localhost:${registry}/` }, plain);
  expect(ended.code).toBe(1);
  expect(requests.filter((each) => each.startsWith('registry')).length).toBe(2);
  expect(leaks.filter((each) => !each.startsWith('registry'))).toEqual([]);
  expect(ended.stderr.replaceAll(/\s+/g, ' ')).toContain(
    'the credentials for reg.example are not sent to',
  );
});

it('use_registry_credentials sends the token to the server of the registry', async () => {
  const registry = await serve('registry', (request, response) => {
    if (request.url === '/m.zip') missing(request, response);
    else moduleRegistry('/m.zip')(request, response);
  });
  await init(MODULE, { 'modules.v1': `https://localhost:${registry}/` });
  expect(leaks).toContain('registry /m.zip');
});

it.each([
  ['another port', (port: number) => `https://localhost:${port}/`],
  ['plain http', (_: number, plain: number) => `http://localhost:${plain}/`],
])('a redirect to %s takes no token along', async (_, target) => {
  const other = await serve('other', missing);
  const plain = await serve('plain', missing, false);
  const to = target(other, plain);
  const registry = await serve('registry', (_request, response) => {
    response.writeHead(302, { location: to }).end();
  });
  const service = `https://localhost:${registry}/`;
  for (const [configuration, id] of [
    [MODULE, 'modules.v1'],
    [PROVIDER, 'providers.v1'],
    [CLOUD, 'tfe.v2'],
  ] as const) {
    expect((await init(configuration, { [id]: service })).code).toBe(1);
  }
  expect(requests.some((each) => !each.startsWith('registry'))).toBe(true);
  expect(leaks.length).toBeGreaterThan(0);
  expect(leaks.filter((each) => !each.startsWith('registry'))).toEqual([]);
});
