import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import {
  addressFilter,
  bodyBytes,
  type Host,
  isNetwork,
  nodeHost,
  programCommand,
  userErrorText,
} from '@terrane/host';
import { openEncryptionOf } from '@terrane/ops';
import { makeCertificate } from '@terrane/plugin';
import {
  type AgentTransport,
  createAgentToken,
  createFirstUser,
  createMetricsToken,
  type Database,
  openEmbedded,
  openPostgres,
  openServer,
  type OidcOptions,
  runAgent,
  type KeyWrapper,
  type Send,
  type Server,
} from '@terrane/server';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { isIP, type Server as NodeServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { CommandContext } from '../../command.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';
import { View } from '../../views/view.ts';
import { agentOptions } from '../agent/run.ts';
import type { ServerFlags } from './flags.ts';

type Values = ServerFlags['values'];

/** The listening address of a server, and its URL for clients. */
interface Listening {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** true if a proxy in front of the server names the client in X-Forwarded-For */
  readonly isBehindProxy?: boolean;
}

/** How long requests in progress may take when the server ends. */
const DRAIN_MS = 10_000;
/** Limits of connections, so that clients that send slowly or too much hold no resources. */
const CONNECTION_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 20_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
} as const;
const DEFAULT_ADDRESS = '127.0.0.1:8443';
const DEV_ORGANIZATION = 'dev';

/** Starts a server, or prepares its database. */
export async function runServerCommand(
  { values, rest, error }: ServerFlags,
  context: CommandContext,
): Promise<number> {
  const view = new View(context);
  const problems: Diagnostic[] = [];
  if (error !== undefined) problems.push(errorDiagnostic('Invalid command-line option', error));
  if (rest.length > 0) {
    problems.push(
      errorDiagnostic(
        'Too many command line arguments',
        'The server command expects no arguments.',
      ),
    );
  }
  problems.push(...optionProblems(values, context));
  view.diagnostics(problems);
  if (hasErrors(problems)) return 1;
  try {
    return values.dev
      ? await runDev(values, context, view)
      : await runProduction(values, context, view);
  } catch (problem) {
    view.diagnostics([errorDiagnostic('The server could not be started', userErrorText(problem))]);
    return 1;
  }
}

function optionProblems(values: Values, { world }: CommandContext): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const add = (summary: string, detail: string): void =>
    void problems.push(errorDiagnostic(summary, detail));
  if (addressOf(values.listen) === undefined) {
    add(
      'Invalid address',
      'The option -listen has to be an address with a port, such as 0.0.0.0:8443.',
    );
  }
  if (values.url !== '' && !/^https?:\/\/[^/]+\/?$/.test(values.url)) {
    add(
      'Invalid URL',
      'The option -url has to be a URL without a path, such as https://runs.example.com.',
    );
  }
  const wrong = values['allow-destination'].find((each) => !isDestination(each));
  if (wrong !== undefined) {
    add(
      'Invalid destination',
      `The option -allow-destination is ${JSON.stringify(wrong)}. It has to be a host name, an address or a network such as 10.0.0.0/8.`,
    );
  }
  if (values['rate-limit'] < 0 || values['rate-limit'] > 100_000) {
    add('Invalid rate limit', 'The option -rate-limit has to be between 0 and 100000.');
  }
  if ((values['oidc-issuer'] === '') !== (values['oidc-client-id'] === '')) {
    add(
      'Incomplete single sign-on',
      'The options -oidc-issuer and -oidc-client-id belong together. Use both, or neither.',
    );
  }
  if (
    values['oidc-issuer'] !== '' &&
    !/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/])/.test(values['oidc-issuer'])
  ) {
    add(
      'Invalid issuer',
      'The option -oidc-issuer has to be the https:// URL of an OpenID Connect provider.',
    );
  }
  if (values.dev) return problems;
  if ((world.environment['TERRANE_DATABASE_URL'] ?? '') === '') {
    add(
      'Missing database',
      'The environment variable TERRANE_DATABASE_URL is not set. Set it to the connection string of a PostgreSQL database, or start the server with -dev to try it.',
    );
  }
  if (values['encryption-config'] === '') {
    add(
      'Missing encryption',
      'The option -encryption-config is required, because the database holds secrets. It names a file with a key provider, a method and a "plan" target, as in an "encryption" block.',
    );
  }
  const isServing =
    values['create-user'] === '' &&
    !values['create-agent-token'] &&
    !values['create-metrics-token'];
  if (
    isServing &&
    !values['behind-proxy'] &&
    (values['tls-cert'] === '' || values['tls-key'] === '')
  ) {
    add(
      'Missing certificate',
      'Clients require HTTPS. Use -tls-cert and -tls-key, or -behind-proxy if a proxy in front of the server ends TLS.',
    );
  }
  return problems;
}

const isDestination = (text: string): boolean =>
  isNetwork(text) || /^(?!\d+(\.\d+)*$)[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(text);

function addressOf(text: string): { readonly host: string; readonly port: number } | undefined {
  const match = /^(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text === '' ? DEFAULT_ADDRESS : text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) return undefined;
  return { host: (match[1] ?? '').replaceAll(/[[\]]/g, ''), port };
}

async function runProduction(values: Values, context: CommandContext, view: View): Promise<number> {
  const host = nodeHost({ cwd: context.directory });
  const db = await openPostgres(context.world.environment['TERRANE_DATABASE_URL'] ?? '');
  try {
    const config = await host.files.readText(values['encryption-config']);
    const wrapper = await keyWrapper(host, config, values['encryption-config'], view);
    if (wrapper === undefined) return 1;
    const address = addressOf(values.listen) ?? { host: '', port: 0 };
    const tls =
      values['tls-cert'] === ''
        ? undefined
        : {
            cert: await host.files.readText(values['tls-cert']),
            key: await host.files.readText(values['tls-key']),
          };
    const url = values.url === '' ? `https://${address.host}:${address.port}` : values.url;
    const listening = {
      ...address,
      url: url.replace(/\/$/, ''),
      isBehindProxy: values['behind-proxy'],
      ...(tls !== undefined && { tls }),
    };
    const server = await open(
      host,
      db,
      wrapper,
      listening.url,
      values['allow-destination'],
      values,
    );
    if (values['create-user'] !== '') return await createUser(server, values, view);
    if (values['create-agent-token']) {
      view.line(await createAgentToken(server.services, 'created on the command line'));
      return 0;
    }
    if (values['create-metrics-token']) {
      view.line(await createMetricsToken(server.services, 'created on the command line'));
      return 0;
    }
    await untilInterrupted(context.world, async (signal) => {
      await Promise.all([serve(server, listening, view, signal), server.work(signal)]);
    });
    return 0;
  } finally {
    await db.destroy();
  }
}

async function createUser(server: Server, values: Values, view: View): Promise<number> {
  const email = values['create-user'];
  const created = await createFirstUser(server.services, {
    username: email.split('@')[0] ?? email,
    email,
    ...(values['create-organization'] !== '' && { organization: values['create-organization'] }),
  });
  if (created === undefined) {
    view.diagnostics([
      errorDiagnostic(
        'The server has users',
        'The option -create-user creates the first user only. Sign in as an owner of an organization to invite others.',
      ),
    ]);
    return 1;
  }
  view.line(created.token);
  return 0;
}

/** Starts a server with an embedded database and an agent. */
async function runDev(values: Values, context: CommandContext, view: View): Promise<number> {
  const host = nodeHost({ cwd: context.directory });
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
  const db = await openEmbedded(join(data, 'database'));
  try {
    const destinations = ['127.0.0.0/8', '::1', ...values['allow-destination']];
    const server = await open(host, db, wrapper, url, destinations, values);
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
      const serving = serve(server, { ...address, url, tls }, view, signal, () =>
        view.line(devHelp(url, data, address.port)),
      );
      const { stopped } = runAgent({
        ...agentOptions(context, host, values['pass-env']),
        transport: localTransport(server, url),
        token: await createAgentToken(server.services, programCommand('server -dev')),
        name: 'dev',
        directory: join(data, 'runs'),
        serverHost: `localhost:${address.port}`,
        concurrency: 2,
        signal,
        report: (message) => view.line(message),
      });
      await Promise.all([serving, stopped, server.work(signal)]);
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

/** Returns the encryption of a configuration text. Reports its errors and returns undefined if it is invalid. */
async function keyWrapper(
  host: Host,
  config: string,
  path: string,
  view: View,
): Promise<KeyWrapper | undefined> {
  const environment = {
    ...host.environment,
    get: (name: string) => (name === 'TF_ENCRYPTION' ? config : host.environment.get(name)),
  };
  const { encryption, diagnostics } = await openEncryptionOf(
    { host: { ...host, environment } },
    undefined,
  );
  view.diagnostics(diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  if (encryption?.plan === undefined) {
    view.diagnostics([
      errorDiagnostic(
        'Incomplete encryption',
        `The encryption configuration ${path} has no "plan" target, whose method encrypts the secrets of the server. Add one.`,
      ),
    ]);
    return undefined;
  }
  return encryption.plan;
}

async function open(
  host: Host,
  db: Database,
  wrapper: KeyWrapper,
  baseUrl: string,
  destinations: readonly string[],
  values: Values,
): Promise<Server> {
  const oidc = oidcOptions(host, values);
  const { clock, random, http, logs } = host;
  return await openServer({
    db,
    clock,
    random,
    keyWrapper: wrapper,
    baseUrl,
    ...(logs !== undefined && { logs }),
    ...(oidc !== undefined && { oidc }),
    requestsPerSecond: values['rate-limit'],
    processUsage: () => ({
      residentBytes: process.memoryUsage.rss(),
      cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
      startedAt: new Date(Date.now() - process.uptime() * 1000),
    }),
    send: outgoing(http, destinations),
  });
}

/**
 * Sends requests to addresses that users have chosen: those of the internet, and the networks and host names that the
 * installation allows.
 */
function outgoing(http: Host['http'], destinations: readonly string[]): Send {
  const networks = destinations.filter(isNetwork);
  const names = new Set(destinations.filter((each) => !isNetwork(each)));
  const isPermitted = addressFilter(networks);
  return async (url, { limit = 64 * 1024, followsRedirects = false, ...request }) => {
    const isAllowedName = names.has(new URL(url).hostname.toLowerCase());
    const answer = await http.request(url, {
      ...request,
      timeoutMs: request.timeoutMs ?? 30_000,
      redirect: followsRedirects && !isAllowedName ? 'follow' : 'manual',
      ...(!isAllowedName && { isPermitted }),
    });
    return { status: answer.status, body: await bodyBytes(answer, limit) };
  };
}

/** Returns the settings of single sign-on; undefined without. */
function oidcOptions({ environment, http }: Host, values: Values): OidcOptions | undefined {
  if (values['oidc-issuer'] === '') return undefined;
  return {
    issuer: values['oidc-issuer'],
    clientId: values['oidc-client-id'],
    clientSecret: environment.get('TERRANE_OIDC_CLIENT_SECRET') ?? '',
    groupsClaim: values['oidc-groups-claim'],
    async send(url, { method = 'GET', headers, body }) {
      const answer = await http.request(url, {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        redirect: 'manual',
        timeoutMs: 30_000,
        ...(body !== undefined && body !== null && { body: await new Response(body).text() }),
      });
      return new Response(Buffer.from(await bodyBytes(answer, 1024 * 1024)), {
        status: answer.status,
        headers: { 'content-type': answer.headers['content-type'] ?? 'application/json' },
      });
    },
  };
}

/** Serves requests until the signal; then ends open connections after a moment. */
async function serve(
  server: Server,
  { host, port, url, tls, isBehindProxy = false }: Listening,
  view: View,
  signal: AbortSignal,
  started: () => void = () => view.line(`The server listens on ${host}:${port} for ${url}.`),
): Promise<void> {
  const fetch = (request: Request, bindings: unknown): Promise<Response> =>
    server.fetch(request, addressOfClient(request, bindings, isBehindProxy));
  const listener: NodeServer = createAdaptorServer(
    tls === undefined
      ? { fetch, createServer, serverOptions: CONNECTION_LIMITS }
      : {
          fetch,
          createServer: createSecureServer,
          serverOptions: { ...CONNECTION_LIMITS, ...tls, minVersion: 'TLSv1.2' },
        },
  );
  await new Promise<void>((resolveListening, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, resolveListening);
  });
  started();
  await new Promise<void>((resolveClosed) => {
    const close = (): void => {
      server.drain();
      listener.close(() => resolveClosed());
      if (
        'closeIdleConnections' in listener &&
        typeof listener.closeIdleConnections === 'function'
      ) {
        listener.closeIdleConnections();
      }
      setTimeout(() => {
        if (
          'closeAllConnections' in listener &&
          typeof listener.closeAllConnections === 'function'
        ) {
          listener.closeAllConnections();
        }
      }, DRAIN_MS).unref();
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
  });
}

/**
 * Returns the address of a client. Behind a proxy it is the last one of X-Forwarded-For, which the proxy has added; those
 * before it are what the client claims.
 */
function addressOfClient(request: Request, bindings: unknown, isBehindProxy: boolean): string {
  const forwarded = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  if (isBehindProxy && isIP(forwarded) !== 0) return forwarded;
  const { incoming } = bindings as Partial<HttpBindings>; // The adaptor passes Node's request.
  return incoming?.socket.remoteAddress ?? '';
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
