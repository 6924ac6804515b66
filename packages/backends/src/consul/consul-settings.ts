import { BOOL, STRING, type Value } from '@terrane/cty';
import type { Host, HttpTls } from '@terrane/host';
import type { BlockSchema } from '@terrane/provider';
import { BackendArguments } from '../backend-arguments.ts';

const TEXTS: Readonly<Record<string, string>> = {
  path: 'Path to store state in Consul',
  access_token: 'Access token for a Consul ACL',
  address: 'Address to the Consul Cluster',
  scheme: 'Scheme to communicate to Consul with',
  datacenter: 'Datacenter to communicate with',
  http_auth: "HTTP Auth in the format of 'username:password'",
  ca_file:
    "A path to a PEM-encoded certificate authority used to verify the remote agent's certificate",
  cert_file:
    'A path to a PEM-encoded certificate provided to the remote agent; requires use of key_file',
  key_file: 'A path to a PEM-encoded private key, required if cert_file is specified',
};

/** The arguments of the `consul` backend, as Terraform's. */
export const CONSUL_SCHEMA: BlockSchema = {
  attributes: {
    ...Object.fromEntries(
      Object.entries(TEXTS).map(([name, description]) => [
        name,
        { type: STRING, optional: true, description },
      ]),
    ),
    gzip: { type: BOOL, optional: true, description: 'Compress the state data using gzip' },
    lock: { type: BOOL, optional: true, description: 'Lock state access' },
  },
  blocks: {},
};

/** Settings of the `consul` backend from the configuration and the environment. */
export interface ConsulSettings {
  readonly path: string;
  readonly compresses: boolean;
  readonly locks: boolean;
  /** scheme, host and port */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** query parameters of each request */
  readonly query: ReadonlyMap<string, string>;
  readonly tls: HttpTls | undefined;
}

/** Decodes a configuration and reads its files. Throws a user error if it is invalid. */
export async function consulSettings(
  config: Value,
  { environment, files }: Pick<Host, 'environment' | 'files'>,
): Promise<ConsulSettings> {
  const args = new BackendArguments(config, environment);
  const path = requiredPath(args);
  const token =
    args.filled('access_token') ?? (await tokenOf(args, (file) => files.readText(file)));
  const auth = args.filled('http_auth') ?? args.variable('CONSUL_HTTP_AUTH');
  const query = new Map<string, string>();
  const datacenter = args.filled('datacenter');
  if (datacenter !== undefined) query.set('dc', datacenter);
  const namespace = args.variable('CONSUL_NAMESPACE');
  if (namespace !== undefined) query.set('ns', namespace);
  const partition = args.variable('CONSUL_PARTITION');
  if (partition !== undefined) query.set('partition', partition);
  return {
    path,
    compresses: args.truth('gzip', undefined, false),
    locks: args.truth('lock', undefined, true),
    origin: originOf(args),
    headers: {
      ...(token !== undefined && { 'x-consul-token': token }),
      ...(auth !== undefined && {
        authorization: `Basic ${Buffer.from(auth.includes(':') ? auth : `${auth}:`).toString('base64')}`,
      }),
    },
    query,
    tls: await tlsOf(args, files),
  };
}

/** Returns the path of the states. Throws if the required argument is missing. */
export function requiredPath(args: BackendArguments): string {
  const path = args.value('path')?.asString();
  if (path === undefined) throw new Error('"path": required field is not set');
  return path;
}

async function tokenOf(
  args: BackendArguments,
  read: (file: string) => Promise<string>,
): Promise<string | undefined> {
  const file = args.variable('CONSUL_HTTP_TOKEN_FILE');
  const token = args.variable('CONSUL_HTTP_TOKEN');
  if (token !== undefined || file === undefined) return token;
  return (await read(file)).trim();
}

function originOf(args: BackendArguments): string {
  const address = args.filled('address', 'CONSUL_HTTP_ADDR') ?? '127.0.0.1:8500';
  const [, explicitScheme, rest = address] = /^([a-z]+):\/\/(.*)$/s.exec(address) ?? [];
  const expected =
    args.filled('scheme') ?? (isTrue(args.variable('CONSUL_HTTP_SSL')) ? 'https' : 'http');
  const scheme =
    explicitScheme === 'https' || explicitScheme === 'http'
      ? explicitScheme === 'https'
        ? explicitScheme
        : expected
      : expected;
  if (explicitScheme === 'unix') {
    throw new Error(
      'The backend "consul" reaches agents over HTTP and HTTPS only: "address" names a Unix socket.',
    );
  }
  if (explicitScheme !== undefined && explicitScheme !== 'http' && explicitScheme !== 'https') {
    throw new Error(`Unknown protocol scheme: ${explicitScheme}`);
  }
  try {
    return new URL(`${scheme}://${rest}`).origin;
  } catch (error) {
    throw new Error('The "address" of the backend "consul" is not the address of an agent.', {
      cause: error,
    });
  }
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['1', 't', 'true'].includes(text.toLowerCase());
}

async function tlsOf(args: BackendArguments, files: Host['files']): Promise<HttpTls | undefined> {
  const read = async (name: string, variable: string): Promise<string | undefined> => {
    const path = args.text(name, variable);
    return path === undefined || path === '' ? undefined : await files.readText(path);
  };
  const ca = (await read('ca_file', 'CONSUL_CACERT')) ?? (await directoryOf(args, files));
  const certificate = await read('cert_file', 'CONSUL_CLIENT_CERT');
  const key = await read('key_file', 'CONSUL_CLIENT_KEY');
  const serverName = args.variable('CONSUL_TLS_SERVER_NAME');
  const verifies = args.variable('CONSUL_HTTP_SSL_VERIFY');
  const tls: HttpTls = {
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { serverName }),
    ...(verifies !== undefined && !isTrue(verifies) && { verify: false }),
  };
  return Object.keys(tls).length === 0 ? undefined : tls;
}

/** Returns all certificate authorities in a directory. */
async function directoryOf(
  args: BackendArguments,
  files: Host['files'],
): Promise<string | undefined> {
  const directory = args.variable('CONSUL_CAPATH');
  if (directory === undefined) return undefined;
  const texts: string[] = [];
  for (const { name } of await files.readDirectory(directory)) {
    texts.push(await files.readText(`${directory}/${name}`));
  }
  return texts.join('\n');
}
