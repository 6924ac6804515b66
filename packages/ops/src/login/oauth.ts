import { createHash } from 'node:crypto';
import { bodyText, type Host, type LocalServer, programCommand } from '@terrane/host';
import type { OAuthClient } from '@terrane/registry';

/** The host ports of a login. */
export type LoginPorts = Pick<Host, 'http' | 'random'>;

/** Thrown if no local port is available for the browser callback. */
export class NoPort extends Error {}

/** An authorisation that the user grants in the browser. */
export interface PendingAuthorisation {
  /** the page to open */
  readonly url: string;
  /** resolves when the user has agreed */
  readonly code: Promise<string>;
  readonly redirectUrl: string;
  /** the PKCE verifier, which proves that the code was requested by this client */
  readonly verifier: string;
  close(): Promise<void>;
}

const donePage = (): string => `
<html>
<head>
<title>Terrane Login</title>
<style type="text/css">
body {
	font-family: monospace;
	color: #fff;
	background-color: #000;
}
</style>
</head>
<body>

<p>The login server has returned an authentication code to Terrane.</p>
<p>Now close this page and return to the terminal where <tt>${programCommand('login')}</tt>
is running to see the result of the login process.</p>

</body>
</html>
`;

/** Starts to wait for an authorisation code (RFC 6749, 4.1) with a proof key (RFC 7636). Rejects with `NoPort`. */
export async function beginAuthorisation(
  { http, random }: LoginPorts,
  client: OAuthClient,
): Promise<PendingAuthorisation> {
  const state = random.uuid();
  const verifier = `${random.uuid()}.${String(number(random, 999_999_999)).padStart(9, '0')}`;
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  let resolveCode: (code: string) => void = () => undefined;
  const code = new Promise<string>((resolve) => {
    resolveCode = resolve;
  });
  const answer: Parameters<typeof http.serveLocally>[1] = (url) => {
    // Any page in the browser can send requests here.
    if (!URL.canParse(url, 'http://localhost')) return { status: 400 };
    const parameters = new URL(url, 'http://localhost').searchParams;
    const received = parameters.get('code') ?? '';
    if (parameters.get('state') !== state || received === '') return { status: 400 };
    resolveCode(received);
    return { status: 200, contentType: 'text/html', body: donePage() };
  };
  const { server, port } = await listen({ http, random }, client, answer);
  const redirectUrl = `http://localhost:${port}/login`;
  const url = new URL(client.authorizationUrl ?? '');
  const expectedParameters: Readonly<Record<string, string>> = {
    client_id: client.id,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    redirect_uri: redirectUrl,
    response_type: 'code',
    ...scopeOf(client),
    state,
  };
  for (const [name, value] of Object.entries(expectedParameters))
    url.searchParams.append(name, value);
  return { url: url.href, code, redirectUrl, verifier, close: () => server.close() };
}

async function listen(
  { http, random }: LoginPorts,
  { minPort, maxPort }: OAuthClient,
  answer: Parameters<LoginPorts['http']['serveLocally']>[1],
): Promise<{ readonly server: LocalServer; readonly port: number }> {
  const count = maxPort - minPort + 1;
  const first = number(random, count);
  for (let attempt = 0; attempt < count; attempt++) {
    const port = minPort + ((first + attempt) % count);
    try {
      return { server: await http.serveLocally(port, answer), port };
    } catch {
      // The port is in use; try the next one.
    }
  }
  throw new NoPort();
}

function number(random: LoginPorts['random'], below: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4);
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) % below;
}

function scopeOf({ scopes }: OAuthClient): Readonly<Record<string, string>> {
  return scopes === undefined || scopes.length === 0 ? {} : { scope: scopes.join(' ') };
}

/** Exchanges a code for an access token. Rejects with the reason for failure. */
export async function tokenForCode(
  ports: Pick<LoginPorts, 'http'>,
  client: OAuthClient,
  { redirectUrl, verifier }: PendingAuthorisation,
  code: string,
  signal: AbortSignal,
): Promise<string> {
  return await requestToken(ports, client, signal, {
    client_id: client.id,
    code,
    code_verifier: verifier,
    grant_type: 'authorization_code',
    redirect_uri: redirectUrl,
  });
}

/** Exchanges a name and a password for an access token (RFC 6749, 4.3). Rejects with the reason for failure. */
export async function tokenForPassword(
  ports: Pick<LoginPorts, 'http'>,
  client: OAuthClient,
  username: string,
  password: string,
  signal: AbortSignal,
): Promise<string> {
  return await requestToken(ports, client, signal, {
    client_id: client.id,
    grant_type: 'password',
    password,
    ...scopeOf(client),
    username,
  });
}

/** The time-out of the token request. */
const TOKEN_MS = 60_000;
/** Tokens that fit into a header: visible ASCII characters (RFC 6750). */
export const TOKEN: RegExp = /^[\x21-\x7e]+$/;
const MAX_TOKEN_LENGTH = 16 * 1024;
/** The maximum length of a quoted error of the host, in characters. */
const QUOTED = 1024;

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}

async function requestToken(
  { http }: Pick<LoginPorts, 'http'>,
  client: OAuthClient,
  signal: AbortSignal,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await http.request((client.tokenUrl ?? '').toString(), {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
    timeoutMs: TOKEN_MS,
    signal,
  });
  const text = await bodyText(answer, 1024 * 1024);
  const read = readFields(text, answer.headers['content-type'] ?? '');
  const { error, error_description: description } = read;
  if (answer.status < 200 || answer.status > 299 || error !== undefined) {
    if (error !== undefined) {
      const more = description === undefined ? '' : ` ${quoted(description)}`;
      throw new Error(`oauth2: ${quoted(error)}${more}`);
    }
    // The rest of the response may contain secrets.
    throw new Error(`oauth2: cannot fetch token: ${answer.status}`);
  }
  const { access_token: token } = read;
  if (token === undefined || token === '') {
    throw new Error('oauth2: server response missing access_token');
  }
  if (!TOKEN.test(token) || token.length > MAX_TOKEN_LENGTH) {
    throw new Error('oauth2: the access_token in the server response cannot be sent in a header');
  }
  return token;
}

function readFields(text: string, type: string): Readonly<Record<string, string>> {
  if (/^\s*(?:application\/x-www-form-urlencoded|text\/plain)/.test(type)) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return {};
    const fields = Object.entries(parsed).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    );
    return Object.fromEntries(fields);
  } catch {
    return {};
  }
}
