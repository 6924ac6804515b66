import { bodyText, type HttpRequest, userErrorText } from '@terrane/host';
import { EncryptionError } from '../failure.ts';
import type { KeyHost } from '../key-provider.ts';
import { readCertificate, signedClaims } from './azure-certificate.ts';
import { flag, type Settings, text, type Argument } from '../settings.ts';

/** Arguments for authentication at Azure, as in OpenTofu's `azurerm` backend. */
export const AZURE_SIGN_IN: readonly Argument[] = [
  flag('use_cli'),
  text('client_id'),
  text('client_id_file_path'),
  text('client_secret'),
  text('client_secret_file_path'),
  text('client_certificate'),
  text('client_certificate_password'),
  text('client_certificate_path'),
  flag('use_oidc'),
  text('oidc_token'),
  text('oidc_token_file_path'),
  text('oidc_request_url'),
  text('oidc_request_token'),
  flag('use_msi'),
  text('msi_endpoint'),
  flag('use_aks_workload_identity'),
  text('metadata_host'),
  text('environment'),
  text('subscription_id'),
  text('tenant_id'),
];

/**
 * Returns access tokens for a scope; `tenant` is the tenant that the service names, used if the configuration names
 * none.
 */
export type AzureTokens = (scope: string, tenant: string) => Promise<string>;

interface Token {
  readonly token: string;
  /** milliseconds since 1970 */
  readonly ends: number;
}

type AskForToken = (scope: string, tenant: string) => Promise<Token>;

const AUTHORITIES: ReadonlyMap<string, string> = new Map([
  ['public', 'https://login.microsoftonline.com'],
  ['usgovernment', 'https://login.microsoftonline.us'],
  ['china', 'https://login.chinacloudapi.cn'],
]);
const MACHINE = 'http://169.254.169.254/metadata/identity/oauth2/token';
const EXCHANGE = 'api://AzureADTokenExchange';
const LIMIT_MS = 60_000;
/** The time before its expiry at which a token is refreshed. */
const EARLY_MS = 300_000;

/**
 * Selects the authentication in OpenTofu's order: a certificate, a secret, an OIDC token, the managed identity, a
 * Kubernetes workload identity, and the login of `az`. Tokens are cached until shortly before they expire.
 */
export function azureTokens(settings: Settings, host: KeyHost): AzureTokens {
  let ask: Promise<AskForToken> | undefined;
  const known = new Map<string, Token>();
  return async (scope, tenant) => {
    const cachedToken = known.get(scope);
    if (cachedToken !== undefined && cachedToken.ends - EARLY_MS > host.clock.now().getTime())
      return cachedToken.token;
    ask ??= askerOf(settings, host);
    const fresh = await (await ask)(scope, tenant);
    known.set(scope, fresh);
    return fresh.token;
  };
}

/** Reads a setting from the configuration, otherwise from the first of the environment variables that is set. */
type ReadSetting = (name: string, ...variables: readonly string[]) => string;

/** The proof of identity in a token request: the form members except the client. */
type Proof = (endpoint: string, client: string) => Promise<Readonly<Record<string, string>>>;

/** Selects the first method that has settings. @throws EncryptionError for none */
async function askerOf(settings: Settings, host: KeyHost): Promise<AskForToken> {
  const { environment } = host;
  const setting: ReadSetting = (name, ...variables) =>
    settings.text(name) ||
    (variables.map((variable) => environment.get(variable)).find((value) => value !== undefined) ??
      '');
  const tenantId = setting('tenant_id', 'ARM_TENANT_ID');
  const authority = await authorityOf(settings, host);
  const proof =
    (await certificateProof(setting, host)) ??
    (await secretProof(setting, host)) ??
    (settings.flag('use_oidc') === true ? oidcProof(setting, host) : undefined);
  if (proof !== undefined) {
    return async (scope, tenant) => {
      const endpoint = tokenEndpoint(authority, tenantId || tenant);
      const client = await readConsistently(
        setting('client_id', 'ARM_CLIENT_ID'),
        setting('client_id_file_path', 'ARM_CLIENT_ID_FILE_PATH'),
        'client ID',
        host,
      );
      return await exchange(endpoint, client, scope, await proof(endpoint, client), host);
    };
  }
  if (settings.flag('use_msi') === true) {
    const client = setting('client_id', 'ARM_CLIENT_ID');
    const endpoint = environment.get('MSI_ENDPOINT') || settings.text('msi_endpoint');
    return (scope) => tokenOfMachine(endpoint, client, scope, host);
  }
  if (settings.flag('use_aks_workload_identity') === true) {
    return (scope, tenant) => tokenOfWorkload(authority, tenant, scope, host);
  }
  if (settings.flag('use_cli') ?? true) {
    const subscription = setting('subscription_id', 'ARM_SUBSCRIPTION_ID');
    return (scope) => tokenOfCli(scope, tenantId, subscription, host);
  }
  throw new EncryptionError(
    'problem getting an auth method: No valid azure auth methods found: a client certificate, a client secret, use_oidc with a token, use_msi, use_aks_workload_identity or use_cli is needed',
  );
}

async function certificateProof(setting: ReadSetting, host: KeyHost): Promise<Proof | undefined> {
  const certificate = setting('client_certificate', 'ARM_CLIENT_CERTIFICATE');
  const path = setting('client_certificate_path', 'ARM_CLIENT_CERTIFICATE_PATH');
  if (certificate === '' && path === '') return undefined;
  const password = setting('client_certificate_password', 'ARM_CLIENT_CERTIFICATE_PASSWORD');
  const bundle =
    certificate === '' ? await host.files.readFile(path) : Buffer.from(certificate, 'base64');
  const certificateKey = await readCertificate(bundle, password);
  return (endpoint, client) =>
    Promise.resolve(assertion(signedClaims(certificateKey, endpoint, client, host)));
}

async function secretProof(setting: ReadSetting, host: KeyHost): Promise<Proof | undefined> {
  const secret = setting('client_secret', 'ARM_CLIENT_SECRET');
  const path = setting('client_secret_file_path', 'ARM_CLIENT_SECRET_FILE_PATH');
  if (secret === '' && path === '') return undefined;
  const clientSecret = await readConsistently(secret, path, 'client secret', host);
  return () => Promise.resolve({ client_secret: clientSecret });
}

function oidcProof(setting: ReadSetting, host: KeyHost): Proof | undefined {
  const token = setting('oidc_token', 'ARM_OIDC_TOKEN');
  const path = setting('oidc_token_file_path', 'ARM_OIDC_TOKEN_FILE_PATH');
  const url = setting('oidc_request_url', 'ARM_OIDC_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_URL');
  const bearer = setting(
    'oidc_request_token',
    'ARM_OIDC_REQUEST_TOKEN',
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  );
  const isWritten = token !== '' || path !== '';
  if (!isWritten && (url === '' || bearer === '')) return undefined;
  return async () =>
    assertion(
      isWritten
        ? await readConsistently(token, path, 'OIDC token', host)
        : await tokenOfPipeline(url, bearer, host),
    );
}

function tokenEndpoint(authority: string, tenant: string): string {
  return `${authority}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
}

/** Exchanges a proof of identity for a token. */
async function exchange(
  endpoint: string,
  client: string,
  scope: string,
  proof: Readonly<Record<string, string>>,
  host: KeyHost,
): Promise<Token> {
  const form = { client_id: client, scope, grant_type: 'client_credentials', ...proof };
  return tokenIn(await requestToken(host, endpoint, form), host);
}

/** Returns a token for the workload identity of a Kubernetes cluster, whose settings are in the environment. */
async function tokenOfWorkload(
  authority: string,
  tenant: string,
  scope: string,
  host: KeyHost,
): Promise<Token> {
  const { environment, files } = host;
  const base = (environment.get('AZURE_AUTHORITY_HOST') || authority).replace(/\/+$/, '');
  const endpoint = tokenEndpoint(base, environment.get('AZURE_TENANT_ID') || tenant);
  const token = await files.readText(environment.get('AZURE_FEDERATED_TOKEN_FILE') ?? '');
  const client = environment.get('AZURE_CLIENT_ID') ?? '';
  return await exchange(endpoint, client, scope, assertion(token.trim()), host);
}

/** Returns the URL of the authority that issues tokens. */
async function authorityOf(settings: Settings, host: KeyHost): Promise<string> {
  const name = settings.text('environment') || host.environment.get('ARM_ENVIRONMENT') || 'public';
  const metadata = settings.text('metadata_host') || host.environment.get('ARM_METADATA_HOST');
  const failed = (reason: string): EncryptionError =>
    new EncryptionError(`while obtaining Azure cloud configuration: ${reason}`);
  if (metadata === undefined || metadata === '') {
    const authority = AUTHORITIES.get(name.toLowerCase());
    if (authority === undefined) throw failed(`unknown environment ${JSON.stringify(name)}`);
    return authority;
  }
  const url = `https://${metadata}/metadata/endpoints?api-version=2022-09-01`;
  try {
    const described = await askJson(host, url, {});
    const record: unknown = Array.isArray(described) ? described[0] : described;
    const login = textIn(memberOf(record, 'authentication'), 'loginEndpoint');
    if (login === '') throw new Error('it names no "loginEndpoint"');
    return login.replace(/\/+$/, '');
  } catch (error) {
    throw failed(userErrorText(error));
  }
}

async function readConsistently(
  value: string,
  path: string,
  name: string,
  { files }: KeyHost,
): Promise<string> {
  let stored = '';
  if (path !== '') {
    try {
      stored = (await files.readText(path)).trim();
    } catch (error) {
      throw new EncryptionError(`error reading ${name} file: ${userErrorText(error)}`);
    }
  }
  if (value === '' && stored === '') {
    throw new EncryptionError(`missing ${name}, a ${name} is required`);
  }
  if (value !== '' && stored !== '' && value !== stored) {
    throw new EncryptionError(
      `${name} provided directly and through file do not match; either make them match or only provide one`,
    );
  }
  return value || stored;
}

function assertion(token: string): Readonly<Record<string, string>> {
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: token,
  };
}

async function tokenOfPipeline(url: string, bearer: string, host: KeyHost): Promise<string> {
  const requestUrl = new URL(url);
  if (!requestUrl.searchParams.has('audience')) requestUrl.searchParams.set('audience', EXCHANGE);
  const headers = {
    authorization: `Bearer ${bearer}`,
    accept: 'application/json; api-version=2.0',
    'content-type': 'application/json',
  };
  return textIn(await askJson(host, requestUrl.href, { headers }), 'value');
}

/** The identity of the machine, of its metadata, or of a service that hosts programs. */
async function tokenOfMachine(
  endpoint: string,
  client: string,
  scope: string,
  host: KeyHost,
): Promise<Token> {
  const hosted = host.environment.get('IDENTITY_ENDPOINT') ?? '';
  const header = host.environment.get('IDENTITY_HEADER') ?? '';
  const isHosted = endpoint === '' && hosted !== '' && header !== '';
  const url = new URL(endpoint || (isHosted ? hosted : MACHINE));
  url.searchParams.set('api-version', isHosted ? '2019-08-01' : '2018-02-01');
  url.searchParams.set('resource', scope.replace(/\/\.default$/, ''));
  if (client !== '') url.searchParams.set('client_id', client);
  const headers: Readonly<Record<string, string>> = isHosted
    ? { 'x-identity-header': header }
    : { metadata: 'true' };
  return tokenIn(await askJson(host, url.href, { headers, proxy: '' }), host);
}

async function tokenOfCli(
  scope: string,
  tenant: string,
  subscription: string,
  host: KeyHost,
): Promise<Token> {
  const args = ['account', 'get-access-token', '--scope', scope, '--output', 'json'];
  if (tenant !== '') args.push('--tenant', tenant);
  else if (subscription !== '') args.push('--subscription', subscription);
  let done: { readonly code: number; readonly stdout: string; readonly stderr: string };
  try {
    done = await host.spawn.run('az', args, {});
  } catch (error) {
    throw new EncryptionError(`Azure CLI cannot be started: ${userErrorText(error)}`);
  }
  if (done.code !== 0) throw new EncryptionError(`Azure CLI: ${done.stderr.trim()}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(done.stdout);
  } catch {
    // The output may contain a token.
  }
  const token = textIn(parsed, 'accessToken');
  if (token === '') throw new EncryptionError('Azure CLI gives no token');
  const seconds = Number(memberOf(parsed, 'expires_on'));
  return { token, ends: Number.isFinite(seconds) ? seconds * 1000 : 0 };
}

function tokenIn(answer: unknown, { clock }: KeyHost): Token {
  const token = textIn(answer, 'access_token');
  if (token === '') throw new EncryptionError('the answer has no access_token');
  const on = Number(memberOf(answer, 'expires_on'));
  const seconds = Number(memberOf(answer, 'expires_in'));
  const now = clock.now().getTime();
  return { token, ends: on > 0 ? on * 1000 : now + (seconds > 0 ? seconds * 1000 : 0) };
}

async function requestToken(
  host: KeyHost,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<unknown> {
  return await askJson(host, url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  });
}

/** Sends a request and parses the JSON response; the error for other responses omits the sent values. */
async function askJson({ http }: KeyHost, url: string, request: HttpRequest): Promise<unknown> {
  const { origin, pathname } = new URL(url);
  const problem = (reason: string): EncryptionError =>
    new EncryptionError(`no token could be had from ${origin}${pathname}: ${reason}`);
  let status: number;
  let parsed: unknown;
  try {
    const answer = await http.request(url, { timeoutMs: LIMIT_MS, ...request });
    ({ status } = answer);
    parsed = JSON.parse(await bodyText(answer, 1024 * 1024));
  } catch (error) {
    throw problem(error instanceof SyntaxError ? 'its answer is not JSON' : userErrorText(error));
  }
  if (status === 200) return parsed;
  const subject = [textIn(parsed, 'error'), textIn(parsed, 'error_description')].filter(
    (each) => each,
  );
  throw problem([`status ${status}`, ...subject].join(': '));
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

function textIn(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : '';
}
