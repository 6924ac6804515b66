import { parsePlainJson } from '@terrane/cty';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { bodyText, userErrorText } from '@terrane/host';
import type { OAuthClient } from '@terrane/registry';
import type { Ask } from '../ask.ts';
import type { Project } from '../project.ts';
import { plainError } from '../run-ports.ts';
import { member } from './json-member.ts';
import { DEFAULT_LOGIN_HOST, type LoginPorts, type TokenStore } from './login-ports.ts';
import { beginAuthorisation, NoPort, TOKEN, tokenForCode, tokenForPassword } from './oauth.ts';
import { openBrowser } from './open-browser.ts';

/** The ways to obtain a token for a host. Each returns the token, or the reason for failure. */
export class TokenRequest {
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
    const rejection = await this.#consent(true, true);
    if (rejection !== undefined) return rejection;
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
      code = await Promise.race([pending.code, whenAborted(this.#ports.signal)]);
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
    const rejection = await this.#consent(true, false);
    if (rejection !== undefined) return rejection;
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

  /** Prompts for a token that the user creates on a page of the host. */
  async byPage(service: URL): Promise<string | Diagnostic> {
    const rejection = await this.#consent(false, false);
    if (rejection !== undefined) return rejection;
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
    const isConfirmed = 'text' in answer && answer.text.toLowerCase() === 'yes';
    return isConfirmed ? undefined : plainError('Login cancelled');
  }

  async #page(page: 'login' | 'tokens', url: string): Promise<void> {
    const opened = await openBrowser(this.#project.host, url);
    this.#ports.emit({ kind: 'page', host: this.#host, what: page, url, opened });
  }

  async #input(id: string, query: string, secret: boolean): ReturnType<Ask['input']> {
    return await this.#ports.ask.input({ id, query, secret }, this.#ports.signal);
  }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
