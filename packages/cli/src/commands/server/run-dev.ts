import { type Host, programCommand } from '@terrane/host';
import { makeCertificate } from '@terrane/plugin';
import {
  type AgentTransport,
  createAgentToken,
  createFirstUser,
  openEmbedded,
  runAgent,
  type Server,
} from '@terrane/server';
import { join, resolve } from 'node:path';
import type { CommandContext } from '../../command.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';
import type { View } from '../../views/view.ts';
import { agentOptions, agentReport } from '../agent/run.ts';
import { runTogether, serve } from './listen.ts';
import { hostWithLog, keyWrapper, openWithFlags } from './open-with-flags.ts';
import { addressOf, type Values } from './option-problems.ts';

const DEV_ORGANIZATION = 'dev';

/** Starts a server with an embedded database and an agent. */
export async function runDev(values: Values, context: CommandContext, view: View): Promise<number> {
  const host = hostWithLog(context, values);
  const { files, random } = host;
  const data = resolve(context.directory, values.data === '' ? '.terrane-server' : values.data);
  await files.makeDirectory(data);
  await files.chmod(data, 0o700);
  const address = addressOf(values.listen) ?? { host: '127.0.0.1', port: 8443 };
  const tls = await devCertificate(host, data);
  const url = `https://localhost:${address.port}`;
  const passphrase = await secretFile(host, join(data, 'key'), () =>
    Buffer.from(random.bytes(32)).toString('base64'),
  );
  const wrapper = await keyWrapper(host, devEncryption(passphrase), join(data, 'key'), view);
  if (wrapper === undefined) return 1;
  view.line('Starting the embedded database …');
  const db = await openEmbedded({ directory: join(data, 'database') });
  try {
    const destinations = ['127.0.0.0/8', '::1', ...values['allow-destination']];
    const server = await openWithFlags(host, db, wrapper, url, destinations, values);
    const first = await createFirstUser(server.services, {
      username: 'admin',
      email: 'admin@localhost',
      organization: DEV_ORGANIZATION,
    });
    const token = await secretFile(host, join(data, 'token'), () => first?.token ?? '');
    await files.replaceFile(
      join(data, 'terraform.rc'),
      `credentials "localhost:${address.port}" {\n  token = ${JSON.stringify(token)}\n}\n`,
      { mode: 0o600 },
    );
    await untilInterrupted(context.world, async (signal) => {
      const agentToken = await createAgentToken(server.services, programCommand('server -dev'));
      await runTogether(signal, [
        async (stop) =>
          await serve(server, { ...address, url, tls }, view, stop, () =>
            view.line(devHelp(url, data, address.port)),
          ),
        async (stop) =>
          await runAgent({
            ...agentOptions(context, host, values['pass-env']),
            transport: localTransport(server, url),
            token: agentToken,
            name: 'dev',
            directory: join(data, 'runs'),
            serverHost: `localhost:${address.port}`,
            concurrency: 2,
            signal: stop,
            report: agentReport(view, values['log-format'] === 'json' ? host.logs : undefined),
          }).stopped,
        async (stop) => await server.work(stop),
      ]);
    });
    return 0;
  } finally {
    await db.destroy();
  }
}

/** Returns the content of a private file, which is created if it does not exist. */
async function secretFile(
  { files }: Pick<Host, 'files'>,
  path: string,
  create: () => string,
): Promise<string> {
  if ((await files.stat(path)) === undefined) {
    await files.replaceFile(path, `${create()}\n`, { mode: 0o600 });
  }
  return (await files.readText(path)).trim();
}

async function devCertificate(
  { files, clock, random }: Host,
  data: string,
): Promise<{ readonly cert: string; readonly key: string }> {
  const [certPath, keyPath] = [join(data, 'certificate.pem'), join(data, 'certificate.key')];
  if ((await files.stat(certPath)) === undefined || (await files.stat(keyPath)) === undefined) {
    const { certificate, key } = makeCertificate(clock, random);
    await files.replaceFile(keyPath, key, { mode: 0o600 });
    await files.replaceFile(certPath, certificate);
  }
  return { cert: await files.readText(certPath), key: await files.readText(keyPath) };
}

function devEncryption(passphrase: string): string {
  return `key_provider "pbkdf2" "dev" {\n  passphrase = ${JSON.stringify(passphrase)}\n}\nmethod "aes_gcm" "dev" {\n  keys = key_provider.pbkdf2.dev\n}\nplan {\n  method = method.aes_gcm.dev\n}\n`;
}

/** Sends the requests of an agent to a server in this process. */
function localTransport(server: Server, url: string): AgentTransport {
  return async (method, path, { headers, body, signal }) => {
    const response = await server.fetch(
      new Request(`${url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: Buffer.from(body) }),
        ...(signal !== undefined && { signal }),
      }),
    );
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
  };
}

function devHelp(url: string, data: string, port: number): string {
  return `
The server is running at ${url}

In another terminal:

  export SSL_CERT_FILE=${join(data, 'certificate.pem')}
  export TF_CLI_CONFIG_FILE=${join(data, 'terraform.rc')}

and in a configuration:

  terraform {
    cloud {
      hostname     = "localhost:${port}"
      organization = "${DEV_ORGANIZATION}"
      workspaces {
        name = "example"
      }
    }
  }

Then run "init", "plan" and "apply" of terrane, terraform or tofu as usual.
The token for the web interface is in ${join(data, 'token')}. Stop with Ctrl-C.
`;
}
