import { parsePlainJson } from '@terrane/cty';
import { goPaths, type Host, userErrorText } from '@terrane/host';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parseHostname } from '@terrane/addresses';
import type { CliConfig } from './model.ts';
import { goPlatform } from './go-platform.ts';

/** The host ports that credentials need. */
export type CredentialsPorts = Pick<Host, 'environment' | 'files' | 'spawn'>;

/**
 * The location of a host's credentials: `file` is `credentials.tfrc.json`, which Terrane writes; `other` is a file that
 * only the user writes.
 */
export type CredentialsLocation = 'file' | 'other' | 'helper' | 'none';

/** An error of storing, removing or requesting credentials; the message is for users. */
class CredentialsError extends Error {}

/** Reads and writes the user's credentials, by normalised host name. */
export class UserCredentials {
  readonly #ports: CredentialsPorts;
  readonly #config: CliConfig;
  readonly #configured: Map<string, string | undefined>;
  readonly #requested: Map<string, Promise<string | undefined>> = new Map();

  constructor(ports: CredentialsPorts, config: CliConfig) {
    this.#ports = ports;
    this.#config = config;
    this.#configured = new Map(config.credentials);
  }

  /** The file that is written when credentials are stored; undefined where the user has no home. */
  get file(): string | undefined {
    const { directory } = this.#config;
    return directory === undefined ? undefined : `${directory}/credentials.tfrc.json`;
  }

  /** Returns the path of the credentials helper; undefined if none is configured or it is not installed. */
  async helper(): Promise<string | undefined> {
    return (await this.#program())?.name;
  }

  /** The token for a host: from the environment, from the configuration, or from the helper program. */
  readonly token = async (hostname: string): Promise<string | undefined> => {
    const environmentToken = environmentTokens(this.#ports).get(hostname);
    if (environmentToken !== undefined) return environmentToken;
    if (this.#configured.has(hostname)) return this.#configured.get(hostname);
    let requested = this.#requested.get(hostname);
    if (requested === undefined) {
      requested = this.#askHelper(hostname);
      this.#requested.set(hostname, requested);
    }
    return await requested;
  };

  /** Returns credentials in the form that registry clients expect. */
  readonly credentials = async (
    hostname: string,
  ): Promise<{ readonly token: string } | undefined> => {
    const token = await this.token(hostname);
    return token === undefined ? undefined : { token };
  };

  async location(hostname: string): Promise<CredentialsLocation> {
    if (this.#configured.has(hostname)) {
      return (await this.#hostsInFile()).has(hostname) ? 'file' : 'other';
    }
    return (await this.#program()) === undefined ? 'none' : 'helper';
  }

  /** Stores a token in the location of the host's credentials, otherwise with the helper program or in the file. */
  async store(hostname: string, token: string): Promise<void> {
    await this.#update(hostname, token);
  }

  /** Removes the host's credentials from where they are. */
  async forget(hostname: string): Promise<void> {
    await this.#update(hostname, undefined);
  }

  async #update(hostname: string, token: string | undefined): Promise<void> {
    switch (await this.location(hostname)) {
      case 'other':
        throw new CredentialsError(
          `cannot change credentials for ${forDisplay(hostname)}: existing manually-configured credentials in a CLI config file`,
        );
      case 'helper': {
        const verb = token === undefined ? 'forget' : 'store';
        const input = token === undefined ? undefined : JSON.stringify({ token });
        await this.#runHelper(verb, hostname, input);
        this.#requested.delete(hostname);
        return;
      }
      default:
        await this.#writeFile(hostname, token);
        if (token === undefined) this.#configured.delete(hostname);
        else this.#configured.set(hostname, token);
    }
  }

  async #writeFile(hostname: string, token: string | undefined): Promise<void> {
    const { files } = this.#ports;
    const path = this.file;
    if (path === undefined) throw new CredentialsError('unable to determine credentials file path');
    const contents = await this.#readFile(path);
    const credentials = contents['credentials'] ?? {};
    if (!isObject(credentials)) {
      throw new CredentialsError(
        `credentials file ${path} has invalid value for "credentials" property: must be a JSON object`,
      );
    }
    const remaining = Object.entries(credentials).filter(
      ([name]) => parseHostname(name) !== hostname,
    );
    if (token !== undefined) remaining.push([forDisplay(hostname), { token }]);
    const text = goJson({ ...contents, credentials: Object.fromEntries(remaining) });
    try {
      await files.makeDirectory(goPaths(this.#ports.environment).directory(path));
      // Only its owner may read it, regardless of the file's previous mode.
      await files.replaceFile(path, text, { mode: 0o600, isPrivate: true });
    } catch (error) {
      throw new CredentialsError(`cannot write ${path}: ${userErrorText(error)}`);
    }
  }

  async #readFile(path: string): Promise<Readonly<Record<string, unknown>>> {
    const { files } = this.#ports;
    if ((await files.stat(path)) === undefined) return {};
    try {
      const text = await files.readText(path);
      if (text === '') return {};
      const parsed = parsePlainJson(text);
      if (isObject(parsed)) return parsed;
      throw new Error('it is not a JSON object');
    } catch (error) {
      throw new CredentialsError(`cannot read ${path}: ${userErrorText(error)}`);
    }
  }

  async #hostsInFile(): Promise<ReadonlySet<string>> {
    const path = this.file;
    const hosts = new Set<string>();
    if (path === undefined) return hosts;
    const contents = await this.#readFile(path).catch(() => ({ credentials: undefined }));
    const { credentials } = contents as Readonly<Record<string, unknown>>;
    if (!isObject(credentials)) return hosts;
    for (const name of Object.keys(credentials)) {
      const parsed = parseHostname(name);
      if (typeof parsed === 'string') hosts.add(parsed);
    }
    return hosts;
  }

  async #askHelper(hostname: string): Promise<string | undefined> {
    const answer = await this.#runHelper('get', hostname, undefined);
    if (answer === undefined) return undefined;
    const { program, stdout } = answer;
    try {
      const parsed: unknown = JSON.parse(stdout);
      if (parsed !== null && !isObject(parsed)) throw new Error('it is not a JSON object');
      const token = parsed?.['token'];
      return typeof token === 'string' ? token : undefined;
    } catch (error) {
      // The response may contain a secret, and so may a message that quotes it.
      const reason = error instanceof SyntaxError ? 'it is not JSON' : userErrorText(error);
      throw new CredentialsError(`malformed output from ${program}: ${reason}`);
    }
  }

  async #runHelper(
    verb: 'get' | 'store' | 'forget',
    hostname: string,
    stdin: string | undefined,
  ): Promise<{ readonly program: string; readonly stdout: string } | undefined> {
    const helper = await this.#program();
    if (helper === undefined) return undefined;
    const { path, args } = helper;
    let ended: { readonly code: number; readonly stdout: string; readonly stderr: string };
    try {
      const options = stdin === undefined ? {} : { stdin };
      ended = await this.#ports.spawn.run(path, [...args, verb, forHelper(hostname)], options);
    } catch (error) {
      throw new CredentialsError(`failed to run ${path}: ${userErrorText(error)}`);
    }
    if (ended.code === 0) return { program: path, stdout: ended.stdout };
    throw new CredentialsError(
      ended.stderr === ''
        ? `error in ${path}, but it produced no error message`
        : `error in ${path}: ${ended.stderr}`,
    );
  }

  programCache: Promise<HelperProgram | undefined> | undefined;

  #program(): Promise<HelperProgram | undefined> {
    this.programCache ??= findHelper(this.#ports, this.#config);
    return this.programCache;
  }
}

interface HelperProgram {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
}

/** The newest program `terraform-credentials-NAME` among the user's plugins. */
async function findHelper(
  { files, environment }: CredentialsPorts,
  { credentialsHelper: helperConfig, directory }: CliConfig,
): Promise<HelperProgram | undefined> {
  if (helperConfig === undefined || directory === undefined) return undefined;
  const { name, args } = helperConfig;
  let best: { readonly path: string; readonly version: readonly number[] } | undefined;
  const plugins = `${directory}/plugins`;
  for (const folder of [plugins, `${plugins}/${goPlatform(environment)}`]) {
    if ((await files.stat(folder))?.kind !== 'directory') continue;
    for (const entry of await files.readDirectory(folder)) {
      if (!entry.name.startsWith('terraform-credentials-')) continue;
      const rest = entry.name.toLowerCase().slice('terraform-credentials-'.length);
      const [called = '', version = '0.0.0'] = rest.replace(/\.exe$/, '').split(/_v(.*)/);
      if (called !== name) continue;
      const path = `${folder}/${entry.name}`;
      if ((await files.stat(path))?.kind !== 'file') continue;
      const numbers = version.replace(/_x.*/, '').split('.').map(Number);
      if (best === undefined || isNewer(numbers, best.version)) best = { path, version: numbers };
    }
  }
  return best === undefined ? undefined : { name, path: best.path, args };
}

function isNewer(a: readonly number[], b: readonly number[]): boolean {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Returns the tokens of `TF_TOKEN_…` variables: `__` represents a hyphen, `_` a dot. */
function environmentTokens({ environment }: CredentialsPorts): ReadonlyMap<string, string> {
  const prefix = 'TF_TOKEN_';
  const tokens = new Map<string, string>();
  for (const [name, value] of environment.entries()) {
    if (!name.startsWith(prefix)) continue;
    const host = name.slice(prefix.length).replaceAll('__', '-').replaceAll('_', '.');
    // Only here may a name be given in punycode.
    const [encoded = '', port] = host.split(':');
    const displayHost = domainToUnicode(encoded) || encoded;
    const parsed = parseHostname(port === undefined ? displayHost : `${displayHost}:${port}`);
    if (typeof parsed === 'string') tokens.set(parsed, value);
  }
  return tokens;
}

/** A host as its user writes it. */
export function forDisplay(hostname: string): string {
  const [name = '', port] = hostname.split(':');
  const displayHost = domainToUnicode(name) || name;
  return port === undefined ? displayHost : `${displayHost}:${port}`;
}

function forHelper(hostname: string): string {
  const [name = '', port] = hostname.split(':');
  const ascii = domainToASCII(name) || name;
  return port === undefined ? ascii : `${ascii}:${port}`;
}

/** JSON as Go writes it with two spaces: keys sorted. */
function goJson(value: unknown): string {
  const text = JSON.stringify(sorted(value), undefined, 2);
  return text.replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
