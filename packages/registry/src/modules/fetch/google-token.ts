import { bodyText } from '@terrane/host';
import { createSign } from 'node:crypto';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only';
const MACHINE_TIMEOUT_MS = 1000;

/**
 * Returns a token for reading from Google Cloud Storage: `GOOGLE_OAUTH_ACCESS_TOKEN`, or the application default
 * credentials (a file, or the metadata server of a virtual machine). Undefined if none are configured: public objects
 * need no token. Throws `FetchFailed` if configured credentials yield no token.
 */
export async function googleToken(context: FetchContext): Promise<string | undefined> {
  const { environment, files } = context.host;
  const configuredToken = environment.get('GOOGLE_OAUTH_ACCESS_TOKEN') ?? '';
  if (configuredToken !== '') return configuredToken;
  const named = environment.get('GOOGLE_APPLICATION_CREDENTIALS') ?? '';
  const folder =
    environment.platform === 'win32'
      ? `${environment.get('APPDATA') ?? ''}/gcloud`
      : `${environment.homeDirectory ?? ''}/.config/gcloud`;
  const defaultPath = `${environment.get('CLOUDSDK_CONFIG') || folder}/application_default_credentials.json`;
  const path = named === '' ? defaultPath : named;
  if ((await files.stat(path))?.kind === 'file') {
    return await tokenOfFile(context, path, await files.readText(path));
  }
  if (named !== '') {
    throw new FetchFailed(
      `google: error getting credentials using GOOGLE_APPLICATION_CREDENTIALS environment variable: open ${named}: no such file or directory`,
    );
  }
  return await tokenOfMachine(context);
}

async function tokenOfFile(context: FetchContext, path: string, text: string): Promise<string> {
  const values = fieldsOf(text);
  const get = (name: string): string => values.get(name) ?? '';
  const uri = get('token_uri') || 'https://oauth2.googleapis.com/token';
  if (get('type') === 'service_account') {
    return await exchange(context, uri, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(context, get('client_email'), get('private_key'), uri),
    });
  }
  if (get('type') === 'authorized_user') {
    return await exchange(context, uri, {
      grant_type: 'refresh_token',
      client_id: get('client_id'),
      client_secret: get('client_secret'),
      refresh_token: get('refresh_token'),
    });
  }
  throw new FetchFailed(`google: unsupported type "${get('type')}" of the credentials in ${path}`);
}

function assertion(
  { host }: FetchContext,
  email: string,
  privateKey: string,
  audience: string,
): string {
  const now = Math.floor(host.clock.now().getTime() / 1000);
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: email, scope: SCOPE, aud: audience, iat: now, exp: now + 3600 };
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  } catch (error) {
    throw new FetchFailed('google: the private key of the credentials cannot be used', error);
  }
}

async function exchange(
  { host, signal }: FetchContext,
  uri: string,
  form: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await host.http.request(uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form }).toString(),
    signal,
  });
  const token = fieldsOf(await bodyText(answer)).get('access_token');
  if (token !== undefined) return token;
  throw new FetchFailed(`oauth2: cannot fetch token: ${answer.status}`);
}

async function tokenOfMachine({ host, signal }: FetchContext): Promise<string | undefined> {
  const name = host.environment.get('GCE_METADATA_HOST') || '169.254.169.254';
  const url = `http://${name}/computeMetadata/v1/instance/service-accounts/default/token`;
  const headers = { 'metadata-flavor': 'Google' };
  try {
    const answer = await host.http.request(url, { headers, signal, timeoutMs: MACHINE_TIMEOUT_MS });
    const text = await bodyText(answer);
    return answer.status === 200 ? fieldsOf(text).get('access_token') : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined; // Not a Google Cloud machine.
  }
}

/** The texts of a JSON object. */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return fields;
    for (const [name, value] of Object.entries(parsed)) {
      if (typeof value === 'string') fields.set(name, value);
    }
  } catch {
    // An object without fields.
  }
  return fields;
}
