import { importOptional, bodyBytes, userErrorText } from '@terrane/host';
import type { BackendPorts } from '../backend.ts';
import { pathOrContents, type GcsSettings } from './gcs-settings.ts';
import type { AuthClient, gaxios } from './libraries/google-auth.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;

/** Returns the authorization headers. */
export type GoogleIdentity = () => Promise<Readonly<Record<string, string>>>;

const SCOPE = 'https://www.googleapis.com/auth/devstorage.full_control';
const IMPERSONATED_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';
const IMPERSONATION_SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/**
 * Resolves the identity: a token, a key in a file or in JSON, or the application default credentials
 * (`GOOGLE_APPLICATION_CREDENTIALS`, `gcloud`, the metadata server), optionally impersonating another account.
 */
export async function googleIdentity(
  settings: GcsSettings,
  ports: BackendPorts,
): Promise<GoogleIdentity> {
  const { accessToken, impersonated, delegates, universe } = settings;
  const domain = universe === '' ? {} : { universeDomain: universe };
  if (accessToken !== '' && impersonated === '') {
    const headers = { authorization: `Bearer ${accessToken}` };
    return () => Promise.resolve(headers);
  }
  const { gaxios, GoogleAuth, Impersonated, OAuth2Client } = await importOptional(
    'The backend "gcs"',
    ['google-auth-library'],
    () => import('./libraries/google-auth.ts'),
  );
  const transporter = new gaxios.Gaxios({ fetchImplementation: hostFetch(ports) });
  let source: AuthClient;
  if (accessToken === '') {
    const credentials = await keyOf(settings, ports);
    const scopes = [impersonated === '' ? SCOPE : IMPERSONATION_SCOPE];
    const auth = new GoogleAuth({
      scopes,
      clientOptions: { transporter, ...domain },
      // The project is not needed here, and the library would search for it for seconds.
      projectId: '-',
      ...(credentials !== undefined && { credentials }),
    });
    try {
      source = await auth.getClient();
    } catch (error) {
      throw new Error(`storage.NewClient() failed: ${reason(error)}`, { cause: error });
    }
  } else {
    const client = new OAuth2Client({ transporter, ...domain });
    client.setCredentials({ access_token: accessToken });
    source = client;
  }
  const client =
    impersonated === ''
      ? source
      : new Impersonated({
          sourceClient: source,
          targetPrincipal: impersonated,
          targetScopes: [IMPERSONATED_SCOPE],
          delegates: [...delegates],
          lifetime: 3600,
          transporter,
          ...domain,
        });
  return async () => {
    try {
      return Object.fromEntries((await client.getRequestHeaders()).entries());
    } catch (error) {
      ports.signal?.throwIfAborted();
      throw new Error(`a token of Google could not be had: ${reason(error)}`, { cause: error });
    }
  };
}

/** Returns the key of an account, as JSON; `undefined` if there is none. */
async function keyOf(
  { credentials }: GcsSettings,
  { host }: BackendPorts,
): Promise<Record<string, string> | undefined> {
  if (credentials === '') return undefined;
  let text: string;
  try {
    text = await pathOrContents(credentials, host.files, host.environment);
  } catch (error) {
    throw new Error(`Error loading credentials: ${userErrorText(error)}`, { cause: error });
  }
  let key: unknown;
  try {
    key = JSON.parse(text);
  } catch {
    // The parser's message may contain parts of the credentials.
  }
  if (typeof key !== 'object' || key === null) {
    throw new Error(
      'the string provided in credentials is neither valid json nor a valid file path',
    );
  }
  return Object.fromEntries(Object.entries(key));
}

/** Sends requests of Google's library through the host, with its proxies and certificates. */
function hostFetch({
  host: { http },
  signal,
}: BackendPorts): NonNullable<gaxios.GaxiosOptions['fetchImplementation']> {
  return async (input, init = {}) => {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    const { method, headers, body } = init;
    const answer = await http.request(url, {
      headers: Object.fromEntries(
        new Headers(headers as ConstructorParameters<typeof Headers>[0]).entries(),
      ),
      ...(method !== undefined && { method }),
      ...(body !== undefined && body !== null && { body: bodyOf(body) }),
      ...(signal !== undefined && { signal }),
    });
    const content = await bodyBytes(answer, MAX_ANSWER_BYTES);
    const empty = answer.status === 204 || answer.status === 304;
    return new Response(empty ? null : Buffer.from(content), {
      status: answer.status,
      headers: { ...answer.headers },
    });
  };
}

function bodyOf(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a request to Google has a body of a kind that is not sent here');
}

function reason(error: unknown): string {
  return userErrorText(error).split('\n', 1)[0] ?? '';
}
