import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { selfSigned } from '../backends/self-signed.ts';
import { freePort } from '../interop/free-port.ts';
import { createInstallation } from './run-server.ts';

/** A server over TLS with an agent, and the environment of its clients. */
export interface TlsServer extends AsyncDisposable {
  readonly hostname: string;
  readonly organization: string;
  readonly token: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Starts PostgreSQL, a server with a certificate of its own and further options, and an agent. */
export async function startTlsServer(
  concurrency = 1,
  ...options: readonly string[]
): Promise<TlsServer> {
  const installation = await createInstallation();
  const { folder, token, environment } = installation;
  const port = await freePort();
  const hostname = `localhost:${port}`;
  const { certificate, key } = selfSigned('localhost');
  await writeFile(join(folder, 'cert.pem'), certificate);
  await writeFile(join(folder, 'key.pem'), key);
  await writeFile(
    join(folder, 'terraform.rc'),
    `credentials "${hostname}" {\n  token = "${token}"\n}\n`,
  );
  await installation.startServer(
    port,
    `-url=https://${hostname}`,
    '-tls-cert=cert.pem',
    '-tls-key=key.pem',
    '-rate-limit=0',
    ...options,
  );
  await installation.startAgent(
    'agent',
    port,
    `-server=https://${hostname}`,
    `-concurrency=${concurrency}`,
  );
  return {
    hostname,
    organization: 'acme',
    token,
    environment: {
      PATH: environment['PATH'],
      HOME: folder,
      SSL_CERT_FILE: join(folder, 'cert.pem'),
      TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'),
    },
    async [Symbol.asyncDispose]() {
      await installation[Symbol.asyncDispose]();
    },
  };
}
