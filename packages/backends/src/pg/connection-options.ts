import type { Environment, Host } from '@terrane/host';
import { parseConnectionString } from './connection-string.ts';

/** TLS settings of a connection. */
export interface PgTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity?: () => undefined;
  readonly servername?: string;
}

/** Options of a connection to a server. */
export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
  readonly ssl: false | PgTls;
  /** true to connect without TLS if the server does not support it */
  readonly alsoPlain: boolean;
  readonly application: string | undefined;
  readonly connectionTimeoutMillis: number;
  /** settings of the session, for the server */
  readonly options: string | undefined;
}

/** Environment variables of PostgreSQL's programs, and their connection parameters. */
const VARIABLES: readonly (readonly [variable: string, key: string])[] = [
  ['PGHOST', 'host'],
  ['PGHOSTADDR', 'hostaddr'],
  ['PGPORT', 'port'],
  ['PGDATABASE', 'dbname'],
  ['PGUSER', 'user'],
  ['PGPASSWORD', 'password'],
  ['PGSSLMODE', 'sslmode'],
  ['PGSSLCERT', 'sslcert'],
  ['PGSSLKEY', 'sslkey'],
  ['PGSSLROOTCERT', 'sslrootcert'],
  ['PGAPPNAME', 'application_name'],
  ['PGCONNECT_TIMEOUT', 'connect_timeout'],
  ['PGOPTIONS', 'options'],
  ['PGDATESTYLE', 'datestyle'],
  ['PGTZ', 'timezone'],
  ['PGGEQO', 'geqo'],
];

/** Parameters of the connection; all others are session settings. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...VARIABLES.map(([, key]) => key).filter(
    (key) => key !== 'datestyle' && key !== 'timezone' && key !== 'geqo',
  ),
  'fallback_application_name',
  'passfile',
  'sslinline',
  'sslsni',
  'binary_parameters',
  'disable_prepared_binary_result',
  'krbsrvname',
  'krbspn',
]);

/** Parses a connection string, with defaults from the environment. */
export async function connectionOptions(
  text: string,
  { environment, files }: Pick<Host, 'environment' | 'files'>,
): Promise<ConnectionOptions> {
  const parameters = saidOf(text, environment);
  const host = parameters.get('hostaddr') ?? parameters.get('host') ?? 'localhost';
  const user = parameters.get('user') ?? environment.userName;
  const port = Number(parameters.get('port') ?? '5432');
  const password = parameters.get('password');
  const timeout = Number(parameters.get('connect_timeout') ?? '0');
  if (!Number.isInteger(port) || port < 1 || port > 65535 || !Number.isInteger(timeout)) {
    throw new Error('The port and connect_timeout of the backend "pg" have to be whole numbers.');
  }
  const isLocal = host.startsWith('/');
  const mode = isLocal ? 'disable' : (parameters.get('sslmode') ?? 'require');
  const read = async (path: string): Promise<string> => await files.readText(path);
  const settings = [...parameters].filter(([key]) => !OF_CONNECTION.has(key));
  const options = [
    parameters.get('options') ?? '',
    ...settings.map(([key, value]) => `-c ${key}=${value.replaceAll(/([\\ ])/g, '\\$1')}`),
  ].filter((part) => part !== '');
  return {
    host,
    port,
    user,
    database: parameters.get('dbname') ?? user,
    ...(password !== undefined && { password }),
    ssl: await tlsOf(mode, parameters, parameters.get('host') ?? host, environment, read),
    alsoPlain: mode === 'prefer' || mode === 'allow',
    application: parameters.get('application_name') ?? parameters.get('fallback_application_name'),
    connectionTimeoutMillis: 1000 * timeout,
    options: options.length === 0 ? undefined : options.join(' '),
  };
}

function saidOf(text: string, environment: Environment): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [variable, key] of VARIABLES) {
    const value = environment.get(variable) ?? '';
    if (value !== '') parameters.set(key, value);
  }
  for (const [key, value] of parseConnectionString(text)) parameters.set(key, value);
  return parameters;
}

async function tlsOf(
  mode: string,
  parameters: ReadonlyMap<string, string>,
  host: string,
  { homeDirectory }: Environment,
  read: (path: string) => Promise<string>,
): Promise<false | PgTls> {
  if (mode === 'disable') return false;
  if (!['require', 'verify-ca', 'verify-full', 'prefer', 'allow'].includes(mode)) {
    throw new Error(
      `The sslmode ${JSON.stringify(mode)} of the backend "pg" is unknown: there are "require" (the default), "verify-full", "verify-ca", "prefer", "allow" and "disable".`,
    );
  }
  const inline = parameters.get('sslinline') === 'true';
  const textOf = async (key: string, usual: string): Promise<string | undefined> => {
    const named = parameters.get(key);
    if (named !== undefined && named !== '') return inline ? named : await read(named);
    try {
      return await read(`${homeDirectory}/.postgresql/${usual}`);
    } catch {
      // No default exists for it.
      return undefined;
    }
  };
  const root = parameters.get('sslrootcert');
  const ca = root === undefined || root === '' ? undefined : inline ? root : await read(root);
  const cert = await textOf('sslcert', 'postgresql.crt');
  const key = cert === undefined ? undefined : await textOf('sslkey', 'postgresql.key');
  // With a certificate authority, "require" verifies the certificate, as in libpq.
  const verifies = mode.startsWith('verify') || (mode === 'require' && ca !== undefined);
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: verifies,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
  };
}
