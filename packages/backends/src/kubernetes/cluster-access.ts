import type { Value } from '@terrane/cty';
import { importOptional, type Host, type HttpTls, pathsOf, userErrorText } from '@terrane/host';
import type { BackendArguments } from '../backend-arguments.ts';

/** Access to the API of a cluster. */
export interface ClusterAccess {
  readonly server: string;
  readonly tls: HttpTls;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the members of an object; empty for other values. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface Found {
  readonly cluster: Fields;
  readonly user: Fields;
}

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns the cluster and credentials of a configuration, the environment and kubeconfig files. */
export async function clusterAccess(args: BackendArguments, host: Host): Promise<ClusterAccess> {
  const { cluster, user } = args.truth('in_cluster_config', 'KUBE_IN_CLUSTER_CONFIG', false)
    ? await ownCluster(args, host)
    : await configurationOf(args, host);
  const server = args.filled('host', 'KUBE_HOST') ?? textIn(cluster, 'server');
  if (server === undefined) {
    throw new Error(
      'Failed to initialize kubernetes configuration: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    );
  }
  const block = args.value('exec');
  const plugin = block === undefined ? fieldsOf(user['exec']) : execOf(block);
  const credential = Object.keys(plugin).length === 0 ? {} : await runPlugin(plugin, host);
  const ca =
    args.filled('cluster_ca_certificate', 'KUBE_CLUSTER_CA_CERT_DATA') ?? textIn(cluster, 'ca');
  const certificate =
    args.filled('client_certificate', 'KUBE_CLIENT_CERT_DATA') ??
    textIn(credential, 'clientCertificateData') ??
    textIn(user, 'certificate');
  const key =
    args.filled('client_key', 'KUBE_CLIENT_KEY_DATA') ??
    textIn(credential, 'clientKeyData') ??
    textIn(user, 'key');
  const insecure =
    args.truth('insecure', 'KUBE_INSECURE', false) || cluster['insecure-skip-tls-verify'] === true;
  const serverName = textIn(cluster, 'tls-server-name');
  return {
    server: /^https?:\/\//.test(server) ? server : `https://${server}`,
    tls: {
      ...(ca !== undefined && { ca }),
      ...(certificate !== undefined && { certificate }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { serverName }),
      ...(insecure && { verify: false }),
    },
    // Credentials of kubeconfig files are sent over TLS only, as in Kubernetes' own client.
    headers: server.startsWith('http://')
      ? headersOf(args, {}, {})
      : headersOf(args, user, credential),
    proxy: args.filled('proxy_url', 'KUBE_PROXY_URL') ?? textIn(cluster, 'proxy-url'),
  };
}

function headersOf(
  args: BackendArguments,
  user: Fields,
  credential: Fields,
): Record<string, string> {
  const token =
    args.filled('token', 'KUBE_TOKEN') ?? textIn(credential, 'token') ?? textIn(user, 'token');
  const name = args.filled('username', 'KUBE_USER') ?? textIn(user, 'username');
  const password = args.filled('password', 'KUBE_PASSWORD') ?? textIn(user, 'password') ?? '';
  const as = textIn(user, 'as');
  const authorization =
    token !== undefined
      ? `Bearer ${token}`
      : name !== undefined
        ? `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
        : undefined;
  return {
    ...(authorization !== undefined && { authorization }),
    ...(as !== undefined && { 'impersonate-user': as }),
  };
}

async function ownCluster(args: BackendArguments, { files }: Host): Promise<Found> {
  const [name, port] = ['HOST', 'PORT'].map((subject) =>
    args.variable(`KUBERNETES_SERVICE_${subject}`),
  );
  if (name === undefined || port === undefined) {
    throw new Error(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    );
  }
  return {
    cluster: {
      server: `https://${name.includes(':') ? `[${name}]` : name}:${port}`,
      ca: await files.readText(`${ACCOUNT}/ca.crt`),
    },
    user: { token: (await files.readText(`${ACCOUNT}/token`)).trim() },
  };
}

/** The entries of kubeconfig files by name, and the current context. */
interface MergedConfig {
  readonly contexts: Map<string, Fields>;
  readonly clusters: Map<string, Fields>;
  readonly users: Map<string, Fields>;
  currentContext: string | undefined;
}

/** Merges the kubeconfig files that exist. The first file that defines a name wins. */
async function mergeConfigs(paths: readonly string[], host: Host): Promise<MergedConfig> {
  const { dirname } = pathsOf(host.environment);
  const merged: MergedConfig = {
    contexts: new Map(),
    clusters: new Map(),
    users: new Map(),
    currentContext: undefined,
  };
  for (const path of paths) {
    const file = path.replace(/^~(?=\/|$)/, host.environment.homeDirectory ?? '~');
    if (file === '' || (await host.files.stat(file)) === undefined) continue;
    const config = await readConfig(file, host);
    merged.currentContext ??= textIn(config, 'current-context');
    for (const [kind, member] of [
      ['contexts', 'context'],
      ['clusters', 'cluster'],
      ['users', 'user'],
    ] as const) {
      const entries: unknown[] = Array.isArray(config[kind]) ? config[kind] : [];
      for (const entry of entries.map(fieldsOf)) {
        const name = textIn(entry, 'name') ?? '';
        if (!merged[kind].has(name))
          merged[kind].set(name, { ...fieldsOf(entry[member]), '': dirname(file) });
      }
    }
  }
  return merged;
}

async function configurationOf(args: BackendArguments, host: Host): Promise<Found> {
  const { delimiter } = pathsOf(host.environment);
  const singlePath = args.filled('config_path', 'KUBE_CONFIG_PATH');
  const several = args.value('config_paths')?.elements();
  const paths =
    singlePath !== undefined
      ? [singlePath]
      : several !== undefined
        ? several.map((path) => (path.isNull ? '' : path.asString()))
        : (args.variable('KUBE_CONFIG_PATHS')?.split(delimiter) ?? []);
  const merged = await mergeConfigs(paths, host);
  const contextName = args.filled('config_context', 'KUBE_CTX') ?? merged.currentContext;
  const context = contextName === undefined ? {} : merged.contexts.get(contextName);
  const failed = 'Failed to initialize kubernetes configuration:';
  if (context === undefined)
    throw new Error(`${failed} context ${JSON.stringify(contextName)} does not exist`);
  const clusterName =
    args.filled('config_context_cluster', 'KUBE_CTX_CLUSTER') ?? textIn(context, 'cluster');
  const userName =
    args.filled('config_context_auth_info', 'KUBE_CTX_AUTH_INFO') ?? textIn(context, 'user');
  const cluster = clusterName === undefined ? {} : merged.clusters.get(clusterName);
  const user = userName === undefined ? {} : merged.users.get(userName);
  if (cluster === undefined)
    throw new Error(`${failed} cluster ${JSON.stringify(clusterName)} does not exist`);
  if (user === undefined)
    throw new Error(`${failed} auth info ${JSON.stringify(userName)} does not exist`);
  if (user['auth-provider'] !== undefined) {
    throw new Error(
      `${failed} the user ${JSON.stringify(userName)} signs in by "auth-provider", which Kubernetes has removed; use "exec".`,
    );
  }
  const ca = await dataOf(cluster, 'certificate-authority', host);
  const certificate = await dataOf(user, 'client-certificate', host);
  const key = await dataOf(user, 'client-key', host);
  const token = textIn(user, 'token') ?? (await fileOf(user, 'tokenFile', host))?.trim();
  return { cluster: { ...cluster, ca }, user: { ...user, certificate, key, token } };
}

async function readConfig(file: string, { files }: Host): Promise<Fields> {
  // Loaded when first used: few states are in clusters.
  const { parse } = await importOptional(
    'The backend "kubernetes"',
    ['yaml'],
    () => import('./libraries/yaml.ts'),
  );
  try {
    return fieldsOf(parse(await files.readText(file)));
  } catch (error) {
    const [first] = userErrorText(error).split('\n');
    throw new Error(
      `Failed to initialize kubernetes configuration: error loading config file ${JSON.stringify(file)}: ${first}`,
      { cause: error },
    );
  }
}

async function dataOf(fields: Fields, name: string, host: Host): Promise<string | undefined> {
  const data = textIn(fields, `${name}-data`);
  return data === undefined
    ? await fileOf(fields, name, host)
    : Buffer.from(data, 'base64').toString();
}

/** The content of a file that is named beside the kubeconfig file. */
async function fileOf(
  fields: Fields,
  name: string,
  { environment, files }: Host,
): Promise<string | undefined> {
  const path = textIn(fields, name);
  if (path === undefined) return undefined;
  const { isAbsolute, join } = pathsOf(environment);
  return await files.readText(isAbsolute(path) ? path : join(textIn(fields, '') ?? '', path));
}

function execOf(block: Value): Fields {
  const env = block.attr('env');
  const args = block.attr('args');
  return {
    apiVersion: block.attr('api_version').asString(),
    command: block.attr('command').asString(),
    args: args.isNull ? [] : args.elements().map((value) => (value.isNull ? '' : value.asString())),
    env: env.isNull
      ? []
      : env.entries().map(([name, value]) => ({
          name: name.asString(),
          value: value.isNull ? '' : value.asString(),
        })),
  };
}

async function runPlugin(plugin: Fields, { spawn, environment }: Host): Promise<Fields> {
  const command = textIn(plugin, 'command') ?? '';
  const version = textIn(plugin, 'apiVersion') ?? 'client.authentication.k8s.io/v1';
  const entries: unknown[] = Array.isArray(plugin['env']) ? plugin['env'] : [];
  const env = {
    ...Object.fromEntries(environment.entries()),
    ...Object.fromEntries(
      entries.map(fieldsOf).map(({ name, value }) => [String(name), String(value)]),
    ),
    KUBERNETES_EXEC_INFO: JSON.stringify({
      apiVersion: version,
      kind: 'ExecCredential',
      spec: { interactive: false },
    }),
  };
  const args: unknown[] = Array.isArray(plugin['args']) ? plugin['args'] : [];
  const { code, stdout } = await spawn.run(command, args.map(String), { env });
  if (code !== 0)
    throw new Error(
      `getting credentials: exec: executable ${command} failed with exit code ${code}`,
    );
  try {
    return fieldsOf(fieldsOf(JSON.parse(stdout))['status']);
  } catch {
    // Its output may be a secret.
    throw new Error(
      `getting credentials: exec: executable ${command} did not print an ExecCredential`,
    );
  }
}
