import { parseHostname } from '@terrane/addresses';
import { parsePlainJson } from '@terrane/cty';
import { errorDiagnostic, hasErrors, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { bodyText, programCommand, userErrorText } from '@terrane/host';
import {
  type OAuthClient,
  type ServiceHost,
  ServiceNotProvided,
  ServiceVersionNotSupported,
  requireEncrypted,
} from '@terrane/registry';
import type { Ask } from '../ask.ts';
import { credentialsOf } from '../cli-config/cli-config-of.ts';
import { type CredentialsLocation, forDisplay } from '../cli-config/credentials.ts';
import type { Project } from '../project.ts';
import { serviceDirectory } from '../registry-access.ts';
import { plainError } from '../run-ports.ts';
import { beginAuthorisation, NoPort, TOKEN, tokenForCode, tokenForPassword } from './oauth.ts';
import { openBrowser } from './open-browser.ts';

/** The default host of a login. */
export const DEFAULT_LOGIN_HOST = 'app.terraform.io';

/** Events of a login. */
export type LoginEvent =
  | {
      readonly kind: 'begin';
      readonly host: string;
      /** true for an OAuth grant; otherwise the user creates and pastes a token */
      readonly oauth: boolean;
      /** true if the browser must run on this machine */
      readonly needsBrowser: boolean;
      readonly store: TokenStore;
    }
  | {
      readonly kind: 'page';
      readonly host: string;
      readonly what: 'login' | 'tokens';
      readonly url: string;
      /** true if the page was opened in a browser */
      readonly opened: boolean;
    }
  | { readonly kind: 'waiting' | 'password' }
  | { readonly kind: 'paste'; readonly store: TokenStore }
  | { readonly kind: 'user'; readonly name: string };

/** The storage location of a token. */
export interface TokenStore {
  readonly location: CredentialsLocation;
  readonly file: string;
  readonly helper: string | undefined;
}

/** The ports of a login. */
export interface LoginPorts {
  readonly ask: Ask;
  readonly signal: AbortSignal;
  readonly emit: (event: LoginEvent) => void;
}

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
    diagnostics.push(
      errorDiagnostic(
        `Credentials for ${host} are manually configured`,
        `The "${programCommand('login')}" command cannot log in because credentials for this host are already configured in a CLI configuration file.\n\nTo log in, first revoke the existing credentials and remove that block from the CLI configuration.`,
      ),
    );
  }
  if (hasErrors(diagnostics)) return { diagnostics };
  const login = new Login(project, host, store, ports);
  let token: string | Diagnostic;
  if (client !== undefined) token = await login.byClient(hostname, client);
  else if (tokens !== undefined) token = await login.byPage(tokens);
  else return { diagnostics };
  if (typeof token !== 'string') return { diagnostics: [...diagnostics, token] };
  try {
    await credentials.store(hostname, token);
  } catch (error) {
    diagnostics.push(
      errorDiagnostic(
        'Failed to save API token',
        `The given host returned an API token, but Terraform failed to save it: ${userErrorText(error)}.`,
      ),
    );
    return { diagnostics };
  }
  if (hostname === DEFAULT_LOGIN_HOST) {
    const message = await messageOfTheDay(project, services, token, ports.signal);
    const kind = 'cloud' as const;
    return { diagnostics, done: { host, kind, ...(message === undefined ? {} : { message }) } };
  }
  return { diagnostics, done: { host, kind: tokens === undefined ? 'oauth' : 'enterprise' } };
}

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

/** A login. Returns the token, or the reason for failure. */
class Login {
  readonly #project: Project;
  readonly #host: string;
  readonly #store: TokenStore;
  readonly #ports: LoginPorts;

  constructor(project: Project, host: string, store: TokenStore, ports: LoginPorts) {
    this.#project = project;
    this.#host = host;
    this.#store = store;
    this.#ports = ports;
  }

  async byClient(hostname: string, client: OAuthClient): Promise<string | Diagnostic> {
    if (client.grantTypes.has('authz_code')) return await this.#byCode(client);
    // Only this host is trusted with passwords.
    if (client.grantTypes.has('password') && hostname === DEFAULT_LOGIN_HOST) {
      return await this.#byPassword(client);
    }
    return errorDiagnostic(
      'Host does not support Terraform login',
      `The given hostname ${JSON.stringify(this.#host)} does not allow any OAuth grant types that are supported by this version of Terraform.`,
    );
  }

  async #byCode(client: OAuthClient): Promise<string | Diagnostic> {
    const refused = await this.#consent(true, true);
    if (refused !== undefined) return refused;
    const { http, random } = this.#project.host;
    let pending: Awaited<ReturnType<typeof beginAuthorisation>>;
    try {
      pending = await beginAuthorisation({ http, random }, client);
    } catch (error) {
      if (!(error instanceof NoPort)) throw error;
      return errorDiagnostic(
        "Can't start temporary login server",
        `The login process uses OAuth, which requires starting a temporary HTTP server on localhost. However, no TCP port numbers between ${client.minPort} and ${client.maxPort} are available to create such a server.`,
      );
    }
    await this.#page('login', pending.url);
    this.#ports.emit({ kind: 'waiting' });
    let code: string | undefined;
    try {
      code = await Promise.race([pending.code, aborted(this.#ports.signal)]);
    } finally {
      await pending.close();
    }
    if (code === undefined) return plainError('Login cancelled');
    try {
      return await tokenForCode({ http }, client, pending, code, this.#ports.signal);
    } catch (error) {
      return errorDiagnostic(
        'Failed to obtain auth token',
        `The remote server did not assign an auth token: ${userErrorText(error)}.`,
      );
    }
  }

  async #byPassword(client: OAuthClient): Promise<string | Diagnostic> {
    const refused = await this.#consent(true, false);
    if (refused !== undefined) return refused;
    this.#ports.emit({ kind: 'password' });
    const username = await this.#input('username', `Username for ${this.#host}:`, false);
    if ('problem' in username) return plainError(`Failed to request username: ${username.problem}`);
    const password = await this.#input('password', `Password for ${this.#host}:`, true);
    if ('problem' in password) return plainError(`Failed to request password: ${password.problem}`);
    const { http } = this.#project.host;
    try {
      const { signal } = this.#ports;
      return await tokenForPassword({ http }, client, username.text, password.text, signal);
    } catch (error) {
      return errorDiagnostic(
        'Failed to retrieve API token',
        `The remote host did not issue an API token: ${userErrorText(error)}.`,
      );
    }
  }

  /** The user makes a token on a page of the host and brings it here. */
  async byPage(service: URL): Promise<string | Diagnostic> {
    const refused = await this.#consent(false, false);
    if (refused !== undefined) return refused;
    const url = `https://${service.hostname}/app/settings/tokens?source=terraform-login`;
    await this.#page('tokens', url);
    this.#ports.emit({ kind: 'paste', store: this.#store });
    const answer = await this.#input('token', `Token for ${this.#host}:`, true);
    if ('problem' in answer) return plainError(`Failed to retrieve token: ${answer.problem}`);
    const token = answer.text.trim();
    if (!TOKEN.test(token))
      return plainError('Token is invalid: it has characters that no token has');
    const name = await this.#userOf(service, token);
    if (typeof name !== 'string') return name;
    this.#ports.emit({ kind: 'user', name });
    return token;
  }

  async #userOf(service: URL, token: string): Promise<string | Diagnostic> {
    const failed = (reason: string): Diagnostic =>
      plainError(`Failed to retrieve user account details: ${reason}`);
    try {
      const base = service.href.endsWith('/') ? service : new URL(`${service.href}/`);
      const answer = await this.#project.host.http.request(new URL('account/details', base).href, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.api+json' },
        signal: this.#ports.signal,
      });
      const text = await bodyText(answer, 1024 * 1024);
      if (answer.status === 401) return plainError('Token is invalid: unauthorized');
      if (answer.status !== 200) return failed(`the host answered ${answer.status}`);
      const parsed = parsePlainJson(text);
      const name = member(member(member(parsed, 'data'), 'attributes'), 'username');
      return typeof name === 'string' ? name : failed('the host did not name the user');
    } catch (error) {
      return failed(userErrorText(error));
    }
  }

  async #consent(oauth: boolean, needsBrowser: boolean): Promise<Diagnostic | undefined> {
    this.#ports.emit({
      kind: 'begin',
      host: this.#host,
      oauth,
      needsBrowser,
      store: this.#store,
    });
    const answer = await this.#ports.ask.input(
      {
        id: 'approve',
        query: 'Do you want to proceed?',
        description: "Only 'yes' will be accepted to confirm.",
      },
      this.#ports.signal,
    );
    const agreed = 'text' in answer && answer.text.toLowerCase() === 'yes';
    return agreed ? undefined : plainError('Login cancelled');
  }

  async #page(what: 'login' | 'tokens', url: string): Promise<void> {
    const opened = await openBrowser(this.#project.host, url);
    this.#ports.emit({ kind: 'page', host: this.#host, what, url, opened });
  }

  async #input(id: string, query: string, secret: boolean): ReturnType<Ask['input']> {
    return await this.#ports.ask.input({ id, query, secret }, this.#ports.signal);
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
    // It is no part of logging in.
    return undefined;
  }
}

/** The result of a logout. */
export interface LoggedOut {
  readonly diagnostics: readonly Diagnostic[];
  readonly host: string;
  readonly removed: boolean;
}

/** Forgets the credentials of a host, after telling where they are. */
export async function logOut(
  project: Project,
  hostArgument: string,
  reportLogout: (host: string, store: TokenStore) => void,
): Promise<LoggedOut> {
  const hostname = parseHostname(hostArgument);
  if (typeof hostname !== 'string') {
    return {
      diagnostics: [invalidHost(hostArgument, hostname.error)],
      host: hostArgument,
      removed: false,
    };
  }
  const host = forDisplay(hostname);
  const credentials = credentialsOf(project);
  const location = await credentials.location(hostname);
  const file = credentials.file ?? '';
  if (location === 'other') {
    const problem = errorDiagnostic(
      `Credentials for ${host} are manually configured`,
      `The "${programCommand('logout')}" command cannot log out because credentials for this host are manually configured in a CLI configuration file.\n\nTo log out, revoke the existing credentials and remove that block from the CLI configuration.`,
    );
    return { diagnostics: [problem], host, removed: false };
  }
  reportLogout(host, { location, file, helper: await credentials.helper() });
  if (location === 'none') return { diagnostics: [], host, removed: false };
  try {
    await credentials.forget(hostname);
    return { diagnostics: [], host, removed: true };
  } catch (error) {
    const detail = `Unable to remove stored API token: ${userErrorText(error)}`;
    const problem = errorDiagnostic('Failed to remove API token', detail);
    return { diagnostics: [problem], host, removed: false };
  }
}

function invalidHost(hostArgument: string, reason: string): Diagnostic {
  return errorDiagnostic(
    'Invalid hostname',
    `The given hostname ${JSON.stringify(hostArgument)} is not valid: ${reason}.`,
  );
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
