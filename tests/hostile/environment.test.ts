// Environment variables that would weaken the security of a run.
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '@terrane/plugin';
import { nodeHost } from '@terrane/host';
import { expect, it, onTestFinished } from 'vitest';
import { Work } from './fixture.ts';

/** A server whose certificate nobody has signed. */
async function untrustedServer(): Promise<{
  readonly origin: string;
  readonly certificate: string;
  readonly requests: readonly string[];
}> {
  const { clock, random } = nodeHost();
  const { certificate, key } = makeCertificate(clock, random);
  const requests: string[] = [];
  const server: Server = createServer({ cert: certificate, key }, (request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { origin: `localhost:${port}`, certificate, requests };
}

const CONFIGURATIONS = {
  'a module registry': () =>
    'module "m" {\n  source = "modules.example/acme/m/x"\n  version = "1.0.0"\n}\n',
  'a module archive': (origin: string) => `module "m" {\n  source = "https://${origin}/m.zip"\n}\n`,
  'a provider registry': (origin: string) =>
    `terraform {\n  required_providers {\n    x = { source = "${origin}/acme/x" }\n  }\n}\n`,
  'the http backend': (origin: string) =>
    `terraform {\n  backend "http" {\n    address = "https://${origin}/state"\n  }\n}\n`,
};

it.each(Object.entries(CONFIGURATIONS))(
  'NODE_TLS_REJECT_UNAUTHORIZED=0 does not make %s trusted',
  async (_, configuration) => {
    const { origin, certificate, requests } = await untrustedServer();
    const work = new Work({
      'main.tf': configuration(origin),
      'ca.pem': certificate,
      'cli.tfrc': `host "modules.example" {\n  services = { "modules.v1" = "https://${origin}/" }\n}\n`,
    });
    const env = {
      TF_CLI_CONFIG_FILE: work.at('cli.tfrc'),
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
      TF_REGISTRY_DISCOVERY_RETRY: '0',
      TF_HTTP_RETRY_MAX: '0',
    };
    const ended = await work.run(['init', '-no-color'], { env });
    expect(ended.code).toBe(1);
    expect(`${ended.stdout}${ended.stderr}`).toMatch(/certificate|self-signed/);
    expect(requests).toEqual([]);
    // The same server is asked where its certificate is trusted.
    await work.run(['init', '-no-color'], { env: { ...env, SSL_CERT_FILE: work.at('ca.pem') } });
    expect(requests.length).toBeGreaterThan(0);
  },
);
