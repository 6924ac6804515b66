import { parseHostname } from '@terrane/addresses';
import { errorDiagnostic, hasErrors, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { bodyText, programCommand, userErrorText } from '@terrane/host';
import {
  type OAuthClient,
  type ServiceHost,
  ServiceNotProvided,
  ServiceVersionNotSupported,
  requireEncrypted,
} from '@terrane/registry';
import { credentialsOf } from '../cli-config/cli-config-of.ts';
import { forDisplay } from '../cli-config/credentials.ts';
import type { Project } from '../project.ts';
import { serviceDirectory } from '../registry-access.ts';
import { member } from './json-member.ts';
import {
  DEFAULT_LOGIN_HOST,
  invalidHost,
  type LoginPorts,
  type TokenStore,
} from './login-ports.ts';
import { TokenRequest } from './obtain-token.ts';

/** The result of a login. */
export interface LoggedIn {
  readonly diagnostics: readonly Diagnostic[];
  /** undefined if the login failed */
  readonly done?: {
    readonly host: string;
    readonly kind: 'oauth' | 'enterprise' | 'cloud';
    /** the message of the host after login */
    readonly message?: string;
  };
}

/** Obtains a token for a host, by a method that the host supports, and stores it. */
export async function logIn(
  project: Project,
  hostArgument: string,
  ports: LoginPorts,
): Promise<LoggedIn> {
  const hostname = parseHostname(hostArgument);
  if (typeof hostname !== 'string')
    return { diagnostics: [invalidHost(hostArgument, hostname.error)] };
  const host = forDisplay(hostname);
  let services: ServiceHost;
  try {
    services = await serviceDirectory(project).discover(hostname, ports.signal);
  } catch (error) {
    return {
      diagnostics: [
        errorDiagnostic(`Service discovery failed for ${host}`, `${userErrorText(error)}.`),
      ],
    };
  }
  const diagnostics: Diagnostic[] = [];
  const client = clientOf(services, host, diagnostics);
  const tokens = client === undefined ? tokensService(services, host, diagnostics) : undefined;
  const credentials = credentialsOf(project);
  const store: TokenStore = {
    location: await credentials.location(hostname),
    file: credentials.file ?? '',
    helper: await credentials.helper(),
  };
  if (store.location === 'other') {
    diagnostics.push(manuallyConfigured(host));
  }
  if (hasErrors(diagnostics)) return { diagnostics };
  const request = new TokenRequest(project, host, store, ports);
  let token: string | Diagnostic;
  if (client !== undefined) token = await request.byClient(hostname, client);
  else if (tokens !== undefined) token = await request.byPage(tokens);
  else return { diagnostics };
  if (typeof token !== 'string') return { diagnostics: [...diagnostics, token] };
  try {
    await credentials.store(hostname, token);
  } catch (error) {
    return { diagnostics: [...diagnostics, notSaved(error)] };
  }
  if (hostname === DEFAULT_LOGIN_HOST) {
    const message = await messageOfTheDay(project, services, token, ports.signal);
    const kind = 'cloud' as const;
    return { diagnostics, done: { host, kind, ...(message === undefined ? {} : { message }) } };
  }
  return { diagnostics, done: { host, kind: tokens === undefined ? 'oauth' : 'enterprise' } };
}

function manuallyConfigured(host: string): Diagnostic {
  return errorDiagnostic(
    `Credentials for ${host} are manually configured`,
    `The "${programCommand('login')}" command cannot log in because credentials for this host are already configured in a CLI configuration file.\n\nTo log in, first revoke the existing credentials and remove that block from the CLI configuration.`,
  );
}

function notSaved(error: unknown): Diagnostic {
  return errorDiagnostic(
    'Failed to save API token',
    `The given host returned an API token, but Terraform failed to save it: ${userErrorText(error)}.`,
  );
}

/** Returns the OAuth client of a host; undefined if the host has none that can be used. */
function clientOf(
  services: ServiceHost,
  host: string,
  diagnostics: Diagnostic[],
): OAuthClient | undefined {
  try {
    const client = services.oauthClient('login.v1');
    for (const url of [client.authorizationUrl, client.tokenUrl]) {
      if (url !== undefined) requireEncrypted(host, url);
    }
    return client;
  } catch (error) {
    // The host may only have a web page for creating tokens.
    if (error instanceof ServiceNotProvided) return undefined;
    const detail =
      error instanceof ServiceVersionNotSupported
        ? `The given hostname ${JSON.stringify(host)} allows creating Terraform authorization tokens, but requires a newer version of Terraform CLI to do so.`
        : `The given hostname ${JSON.stringify(host)} cannot support "${programCommand('login')}": ${userErrorText(error)}.`;
    diagnostics.push(warningDiagnostic('Host does not support Terraform login', detail));
    return undefined;
  }
}

/** Returns the service with a page for creating tokens; undefined if the host has none. */
function tokensService(
  services: ServiceHost,
  host: string,
  diagnostics: Diagnostic[],
): URL | undefined {
  try {
    const service = services.serviceUrl('tfe.v2');
    requireEncrypted(host, service);
    return service;
  } catch (error) {
    const name = JSON.stringify(host);
    let detail = `The given hostname ${name} cannot support "${programCommand('login')}": ${userErrorText(error)}.`;
    if (error instanceof ServiceNotProvided) {
      detail = `The given hostname ${name} does not support creating Terraform authorization tokens.`;
    } else if (error instanceof ServiceVersionNotSupported) {
      detail = `The given hostname ${name} allows creating Terraform authorization tokens, but requires a newer version of Terraform CLI to do so.`;
    }
    diagnostics.push(errorDiagnostic('Host does not support Terraform tokens API', detail));
    return undefined;
  }
}

async function messageOfTheDay(
  { host }: Project,
  services: ServiceHost,
  token: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const answer = await host.http.request(services.serviceUrl('motd.v1').href, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    const parsed: unknown = JSON.parse(await bodyText(answer, 1024 * 1024));
    const message = member(parsed, 'msg');
    const isFine = member(parsed, 'errors') === undefined;
    return isFine && typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    // Not required for the login.
    return undefined;
  }
}
