import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { addressFilter, bodyBytes, type Host, isNetwork, nodeHost } from '@terrane/host';
import { openEncryptionOf, openProject, openStandaloneStorage } from '@terrane/ops';
import {
  type BlobStorage,
  type Database,
  openMailer,
  openServer,
  type OidcOptions,
  type KeyWrapper,
  type Send,
  type Server,
  type TopicChannel,
} from '@terrane/server';
import type { CommandContext } from '../../command.ts';
import { openLogs } from '../../log/open-logs.ts';
import type { View } from '../../views/view.ts';
import type { Values } from './option-problems.ts';

/** Returns the encryption of a configuration text. Reports its errors and returns undefined if it is invalid. */
export async function keyWrapper(
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

/** Returns the host of a server, with its log. */
export function hostWithLog({ directory, world }: CommandContext, values: Values): Host {
  const isJson = values['log-format'] === 'json';
  const host = nodeHost({ cwd: directory });
  // A server reports its problems, also if nobody asked for a log.
  const logs =
    world.logs !== undefined && !isJson
      ? world.logs
      : openLogs(world, () => host.clock.now(), {
          level: isJson ? 'INFO' : 'WARN',
          ...(isJson && { format: 'json' }),
        });
  const { traces } = world;
  return {
    ...host,
    ...(logs !== undefined && { logs }),
    ...(traces !== undefined && { traces }),
  };
}

/** Opens the server with the flags of the command. */
export async function openWithFlags(
  host: Host,
  db: Database,
  wrapper: KeyWrapper,
  baseUrl: string,
  destinations: readonly string[],
  values: Values,
  topics?: TopicChannel,
): Promise<Server> {
  const oidc = oidcOptions(host, values);
  const { clock, random, http, logs, traces } = host;
  const blobStorage = await openBlobStorage(host, values);
  const sendMail =
    values.smtp === ''
      ? undefined
      : await openMailer({
          url: values.smtp,
          password: host.environment.get('TERRANE_SMTP_PASSWORD') ?? '',
          from: values['mail-from'],
        });
  return await openServer({
    db,
    clock,
    random,
    keyWrapper: wrapper,
    baseUrl,
    ...(logs !== undefined && { logs }),
    ...(traces !== undefined && { traces }),
    ...(oidc !== undefined && { oidc }),
    ...(sendMail !== undefined && { sendMail }),
    ...(blobStorage !== undefined && { blobStorage }),
    ...(topics !== undefined && { topics }),
    requestsPerSecond: values['rate-limit'],
    processUsage: () => ({
      residentBytes: process.memoryUsage.rss(),
      cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
      startedAt: new Date(Date.now() - process.uptime() * 1000),
    }),
    send: outgoing(http, destinations),
  });
}

/** Opens the storage of large contents; undefined without one. Rejects with the errors in its settings. */
async function openBlobStorage(host: Host, values: Values): Promise<BlobStorage | undefined> {
  const path = values['blob-storage'];
  if (path === '') return undefined;
  const text = await host.files.readText(path);
  const { storage, diagnostics } = await openStandaloneStorage(openProject(host), path, text);
  if (storage === undefined) {
    const reasons = diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);
    throw new Error(reasons.join('\n'));
  }
  return {
    from: values['blob-storage-from'],
    largest: values['blob-storage-limit'],
    read: (name) => storage.read(name),
    write: (name, content) => storage.write(name, content),
    remove: (name) => storage.remove(name),
  };
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
