import { BOOL, STRING, type Value } from '@terrane/cty';
import type { Host, HttpTls } from '@terrane/host';
import type { BlockSchema } from '@terrane/provider';
import { Given } from '../given.ts';

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
  /** what each request asks for besides */
  readonly query: ReadonlyMap<string, string>;
  readonly tls: HttpTls | undefined;
}

/** Reads a configuration, and the files that it names. Throws an error fit for users for what is wrong with it. */
export async function consulSettings(
  config: Value,
  { environment, files }: Pick<Host, 'environment' | 'files'>,
): Promise<ConsulSettings> {
  const given = new Given(config, environment);
  const path = requiredPath(given);
  const token =
    given.filled('access_token') ?? (await tokenOf(given, (file) => files.readText(file)));
  const auth = given.filled('http_auth') ?? given.variable('CONSUL_HTTP_AUTH');
  const query = new Map<string, string>();
  const datacenter = given.filled('datacenter');
  if (datacenter !== undefined) query.set('dc', datacenter);
  const namespace = given.variable('CONSUL_NAMESPACE');
  if (namespace !== undefined) query.set('ns', namespace);
  const partition = given.variable('CONSUL_PARTITION');
  if (partition !== undefined) query.set('partition', partition);
  return {
    path,
    compresses: given.truth('gzip', undefined, false),
    locks: given.truth('lock', undefined, true),
    origin: originOf(given),
    headers: {
      ...(token !== undefined && { 'x-consul-token': token }),
      ...(auth !== undefined && {
        authorization: `Basic ${Buffer.from(auth.includes(':') ? auth : `${auth}:`).toString('base64')}`,
      }),
    },
    query,
    tls: await tlsOf(given, files),
  };
}

/** The path of the states, which a configuration has to have. */
export function requiredPath(given: Given): string {
  const path = given.value('path')?.asString();
  if (path === undefined) throw new Error('"path": required field is not set');
  return path;
}

async function tokenOf(
  given: Given,
  read: (file: string) => Promise<string>,
): Promise<string | undefined> {
  const file = given.variable('CONSUL_HTTP_TOKEN_FILE');
  const token = given.variable('CONSUL_HTTP_TOKEN');
  if (token !== undefined || file === undefined) return token;
  return (await read(file)).trim();
}

function originOf(given: Given): string {
  const address = given.filled('address', 'CONSUL_HTTP_ADDR') ?? '127.0.0.1:8500';
  const [, own, rest = address] = /^([a-z]+):\/\/(.*)$/s.exec(address) ?? [];
  const wanted =
    given.filled('scheme') ?? (isTrue(given.variable('CONSUL_HTTP_SSL')) ? 'https' : 'http');
  const scheme = own === 'https' || own === 'http' ? (own === 'https' ? own : wanted) : wanted;
  if (own === 'unix') {
    throw new Error(
      'The backend "consul" reaches agents over HTTP and HTTPS only: "address" names a Unix socket.',
    );
  }
  if (own !== undefined && own !== 'http' && own !== 'https') {
    throw new Error(`Unknown protocol scheme: ${own}`);
  }
  try {
    return new URL(`${scheme}://${rest}`).origin;
  } catch (error) {
    throw new Error('The "address" of the backend "consul" is not the address of an agent.', {
      cause: error,
    });
  }
}

function isTrue(said: string | undefined): boolean {
  return said !== undefined && ['1', 't', 'true'].includes(said.toLowerCase());
}

async function tlsOf(given: Given, files: Host['files']): Promise<HttpTls | undefined> {
  const read = async (name: string, variable: string): Promise<string | undefined> => {
    const path = given.text(name, variable);
    return path === undefined || path === '' ? undefined : await files.readText(path);
  };
  const ca = (await read('ca_file', 'CONSUL_CACERT')) ?? (await directoryOf(given, files));
  const certificate = await read('cert_file', 'CONSUL_CLIENT_CERT');
  const key = await read('key_file', 'CONSUL_CLIENT_KEY');
  const serverName = given.variable('CONSUL_TLS_SERVER_NAME');
  const verifies = given.variable('CONSUL_HTTP_SSL_VERIFY');
  const tls: HttpTls = {
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { serverName }),
    ...(verifies !== undefined && !isTrue(verifies) && { verify: false }),
  };
  return Object.keys(tls).length === 0 ? undefined : tls;
}

/** All authorities in a directory. */
async function directoryOf(given: Given, files: Host['files']): Promise<string | undefined> {
  const directory = given.variable('CONSUL_CAPATH');
  if (directory === undefined) return undefined;
  const texts: string[] = [];
  for (const { name } of await files.readDirectory(directory)) {
    texts.push(await files.readText(`${directory}/${name}`));
  }
  return texts.join('\n');
}
