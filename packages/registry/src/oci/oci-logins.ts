import { type Host, userErrorText } from '@terrane/host';
import { fieldOf, stringOf } from '../json-fields.ts';
import type { OciCredentials } from './oci-repository.ts';

/** Credentials for repositories whose address has a prefix: `oci_credentials` of OpenTofu. */
export interface OciLogin {
  /** `example.com`, or `example.com/some/path` */
  readonly repositoryPrefix: string;
  readonly credentials:
    | { readonly kind: 'basic'; readonly username: string; readonly password: string }
    | { readonly kind: 'oauth'; readonly accessToken: string; readonly refreshToken: string }
    | { readonly kind: 'helper'; readonly name: string };
}

/** Default sources of credentials: `oci_default_credentials` of OpenTofu. */
export interface OciDefaults {
  /** uses the logins of container tools */
  readonly discoverAmbient: boolean;
  /** their files; undefined: the usual ones */
  readonly dockerStyleConfigFiles: readonly string[] | undefined;
  readonly dockerCredentialsHelper: string | undefined;
}

/** Returns the credentials of a repository; the most specific prefix wins. */
export type OciCredentialsOf = (
  registry: string,
  repository: string,
) => Promise<OciCredentials | undefined>;

/** A login, and how much of an address it is for: 1 all, 2 a host, 3 and more parts of the path. */
interface Candidate {
  readonly weight: number;
  get(): Promise<OciCredentials | undefined>;
}

type LoginHost = Pick<Host, 'files' | 'environment' | 'spawn'>;

/** Returns the logins of a user, from the CLI configuration and, if it allows that, from container tools. */
export function ociLogins(
  host: LoginHost,
  logins: readonly OciLogin[],
  defaults: OciDefaults,
): OciCredentialsOf {
  let files: Promise<readonly DockerFile[]> | undefined;
  return async (registry, repository) => {
    files ??= defaults.discoverAmbient ? dockerFiles(host, defaults) : Promise.resolve([]);
    const server = `https://${registry}`;
    const candidates: Candidate[] = [];
    for (const { repositoryPrefix, credentials } of logins) {
      const weight = weightOf(repositoryPrefix, registry, repository);
      if (weight > 0) candidates.push({ weight, get: () => fromBlock(host, credentials, server) });
    }
    const helper = defaults.dockerCredentialsHelper ?? '';
    if (helper !== '') candidates.push({ weight: 1, get: () => askHelper(host, helper, server) });
    for (const file of await files) {
      candidates.push(...fromDocker(host, file, registry, repository, server));
    }
    let best: Candidate | undefined;
    for (const each of candidates) if (each.weight > (best?.weight ?? 0)) best = each;
    return await best?.get();
  };
}

/** Returns the specificity of a prefix of a repository address; 0 if it does not match. */
function weightOf(prefix: string, registry: string, repository: string): number {
  const [host = '', ...parts] = prefix.split('/');
  if (host !== registry) return 0;
  const repositoryParts = repository.split('/');
  if (parts.length > repositoryParts.length || parts.some((part, i) => part !== repositoryParts[i]))
    return 0;
  return 2 + parts.length;
}

async function fromBlock(
  host: LoginHost,
  credentials: OciLogin['credentials'],
  server: string,
): Promise<OciCredentials | undefined> {
  switch (credentials.kind) {
    case 'basic':
      return { username: credentials.username, password: credentials.password };
    case 'oauth':
      return credentials.refreshToken === ''
        ? { accessToken: credentials.accessToken }
        : { token: credentials.refreshToken };
    case 'helper':
      return await askHelper(host, credentials.name, server);
  }
}

/** Queries the credential helper `docker-credential-NAME` for a server. */
async function askHelper(
  { spawn }: LoginHost,
  name: string,
  server: string,
): Promise<OciCredentials | undefined> {
  const program = `docker-credential-${name}`;
  const { code, stdout } = await spawn.run(program, ['get'], { stdin: server });
  if (code !== 0) {
    // The only response that means "no credentials".
    if (stdout.includes('credentials not found')) return undefined;
    throw new Error(`the program ${program} ended with code ${code}`);
  }
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    // The output may contain a secret.
    throw new Error(`the program ${program} gave an answer that is no JSON`);
  }
  const username = stringOf(answer, 'Username');
  const secret = stringOf(answer, 'Secret');
  return username === '<token>' ? { token: secret } : { username, password: secret };
}

/** A credentials file of container tools. */
interface DockerFile {
  readonly path: string;
  readonly content: unknown;
}

async function dockerFiles(host: LoginHost, defaults: OciDefaults): Promise<DockerFile[]> {
  const { files } = host;
  const named = defaults.dockerStyleConfigFiles;
  const dockerConfigs: DockerFile[] = [];
  for (const path of new Set(named ?? usualFiles(host))) {
    try {
      if (named === undefined && (await files.stat(path)) === undefined) continue;
      dockerConfigs.push({ path, content: JSON.parse(await files.readText(path)) });
    } catch (error) {
      // Files at default locations may have any content.
      if (named === undefined) continue;
      const reason = error instanceof SyntaxError ? 'it is no JSON' : userErrorText(error);
      throw new Error(`failed to read Docker-style config file ${path}: ${reason}`, {
        cause: error,
      });
    }
  }
  return dockerConfigs;
}

function usualFiles({ environment }: LoginHost): string[] {
  const home = environment.homeDirectory ?? '';
  const variable = (name: string): string => environment.get(name) ?? '';
  const runtime = variable('XDG_RUNTIME_DIR');
  const config = variable('XDG_CONFIG_HOME');
  const first =
    environment.platform === 'linux'
      ? runtime === ''
        ? []
        : [`${runtime}/containers/auth.json`]
      : ['win32', 'darwin'].includes(environment.platform)
        ? [`${home}/.config/containers/auth.json`]
        : [];
  return [
    ...first,
    `${config === '' ? `${home}/.config` : config}/containers/auth.json`,
    `${home}/.docker/config.json`,
    `${home}/.dockercfg`,
  ];
}

function fromDocker(
  host: LoginHost,
  { path, content }: DockerFile,
  registry: string,
  repository: string,
  server: string,
): Candidate[] {
  const candidates: Candidate[] = [];
  const auths = fieldOf(content, 'auths');
  if (typeof auths === 'object' && auths !== null) {
    for (const [prefix, auth] of Object.entries(auths)) {
      const encoded = stringOf(auth, 'auth');
      const weight = weightOf(prefix, registry, repository);
      if (encoded === '' || weight === 0) continue;
      candidates.push({ weight, get: () => Promise.resolve(decodeLogin(encoded, prefix, path)) });
    }
  }
  const registryHelper = stringOf(fieldOf(content, 'credHelpers'), registry);
  if (registryHelper !== '')
    candidates.push({ weight: 2, get: () => askHelper(host, registryHelper, server) });
  const store = stringOf(content, 'credsStore');
  if (store !== '') candidates.push({ weight: 1, get: () => askHelper(host, store, server) });
  return candidates;
}

function decodeLogin(encoded: string, prefix: string, path: string): OciCredentials {
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon === -1) {
    throw new Error(
      `auth object for ${JSON.stringify(prefix)} in ${path} does not have base64-encoded username:password pair`,
    );
  }
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
