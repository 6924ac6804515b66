import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { GoPaths } from '@terrane/host';
import { bool, decode, list, string, struct } from './legacy-syntax/decode.ts';
import { LegacySyntaxError, type LegacyFile, placeText } from './legacy-syntax/node.ts';
import type { OciCredentials, OciDefaultCredentials } from './model.ts';

/** Without a block, credentials are read from the locations of container tools. */
export const AMBIENT_OCI_CREDENTIALS: OciDefaultCredentials = {
  discoverAmbient: true,
  dockerStyleConfigFiles: undefined,
  dockerCredentialsHelper: undefined,
};

/** Returns the `oci_default_credentials` blocks of a file. Paths are relative to the file's directory. */
export function ociDefaultCredentials(
  file: LegacyFile,
  directory: string,
  { isAbsolute, join }: GoPaths,
  diagnostics: Diagnostic[],
): readonly OciDefaultCredentials[] {
  const summary = 'Invalid oci_default_credentials block';
  const credentials: OciDefaultCredentials[] = [];
  for (const { keys, assigned, value } of file.items) {
    if (keys[0]?.text !== 'oci_default_credentials') continue;
    const at = placeText(keys[0].place);
    const reject = (rest: string): void => {
      const detail = `The oci_default_credentials block at ${at} ${rest}`;
      diagnostics.push(errorDiagnostic(summary, detail));
    };
    if (assigned && !file.isJson) {
      reject('must not be introduced with an equals sign.');
      continue;
    }
    if (keys.length > 1 && !file.isJson) {
      reject('must not have any labels.');
      continue;
    }
    if (value.kind !== 'object') {
      reject('must be represented by a JSON object.');
      continue;
    }
    try {
      const read = decode(
        struct({
          discover_ambient_credentials: bool,
          docker_style_config_files: list(string),
          docker_credentials_helper: string,
        }),
        value,
      );
      const helper = read.docker_credentials_helper;
      if (helper !== undefined && !isHelperName(helper)) reject(badHelper(helper));
      const ambient = read.discover_ambient_credentials ?? true;
      const paths = read.docker_style_config_files?.map((path) =>
        isAbsolute(path) ? path : join(directory, path),
      );
      if (!ambient && paths !== undefined) {
        reject(
          'disables discovery of ambient credentials, but also sets docker_style_config_files which is relevant only when ambient credentials discovery is enabled.',
        );
      }
      credentials.push({
        discoverAmbient: ambient,
        dockerStyleConfigFiles: paths,
        dockerCredentialsHelper: helper,
      });
    } catch (error) {
      if (!(error instanceof LegacySyntaxError)) throw error;
      const detail = `Invalid oci_default_credentials block at ${at}: ${error.message}.`;
      diagnostics.push(errorDiagnostic(summary, detail));
    }
  }
  return credentials;
}

/** The blocks `oci_credentials "PREFIX"` of a file. */
export function ociCredentials(
  file: LegacyFile,
  diagnostics: Diagnostic[],
): readonly OciCredentials[] {
  const summary = 'Invalid oci_credentials block';
  const repositories: OciCredentials[] = [];
  for (const { keys, assigned, value } of file.items) {
    if (keys[0]?.text !== 'oci_credentials') continue;
    const at = placeText(keys[0].place);
    const reject = (rest: string): void => {
      diagnostics.push(errorDiagnostic(summary, `The oci_credentials block at ${at} ${rest}`));
    };
    const prefix = keys[1]?.text;
    if (prefix === undefined || keys.length !== 2) {
      reject('must have one label, giving an OCI repository address prefix.');
      continue;
    }
    if (assigned && !file.isJson) {
      reject('must not be introduced with an equals sign.');
      continue;
    }
    if (value.kind !== 'object') {
      reject('must be represented by a JSON object.');
      continue;
    }
    const problem = prefixProblem(prefix);
    if (problem !== undefined) {
      reject(`has an invalid block label: ${problem}.`);
      continue;
    }
    try {
      const read = decode(
        struct({
          username: string,
          password: string,
          access_token: string,
          refresh_token: string,
          docker_credentials_helper: string,
        }),
        value,
      );
      const credentials = credentialsOf(read, prefix);
      if (typeof credentials === 'string') reject(credentials);
      else repositories.push({ repositoryPrefix: prefix, credentials });
    } catch (error) {
      if (!(error instanceof LegacySyntaxError)) throw error;
      const detail = `Invalid oci_credentials block at ${at}: ${error.message}.`;
      diagnostics.push(errorDiagnostic(summary, detail));
    }
  }
  return repositories;
}

interface Written {
  readonly username?: string;
  readonly password?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly docker_credentials_helper?: string;
}

function credentialsOf(read: Written, prefix: string): OciCredentials['credentials'] | string {
  const { username, password, docker_credentials_helper: helper } = read;
  const { access_token: accessToken, refresh_token: refreshToken } = read;
  const basic = username !== undefined || password !== undefined;
  const oauth = accessToken !== undefined || refreshToken !== undefined;
  const methodCount = [basic, oauth, helper !== undefined].filter(Boolean).length;
  const groups = 'username+password, access_token+refresh_token, or docker_credentials_helper.';
  if (methodCount === 0) return `must set either ${groups}`;
  if (methodCount > 1) return `must set only one group out of ${groups}`;
  if (basic) {
    return username === undefined || password === undefined
      ? 'must set both username and password together when using static credentials.'
      : { kind: 'basic', username, password };
  }
  if (oauth) {
    return accessToken === undefined || refreshToken === undefined
      ? 'must set both access_token and refresh_token together when using OAuth-style credentials.'
      : { kind: 'oauth', accessToken, refreshToken };
  }
  if (prefix.includes('/')) {
    return 'cannot set docker_credentials_helper with a repository path: credential helpers only support credentials for whole domains.';
  }
  const name = helper ?? '';
  return isHelperName(name) ? { kind: 'helper', name } : badHelper(name);
}

function prefixProblem(prefix: string): string | undefined {
  const slash = prefix.indexOf('/');
  const registry = slash < 0 ? prefix : prefix.slice(0, slash);
  if (!/^[A-Za-z0-9.-]+(?::\d+)?$/.test(registry)) {
    return `invalid reference: invalid registry ${JSON.stringify(registry)}`;
  }
  if (slash < 0) return undefined;
  const repository = prefix.slice(slash + 1);
  if (/[:@]/.test(repository)) return 'invalid reference: artifact tag or digest not allowed';
  const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
  return new RegExp(`^${part}(?:/${part})*$`).test(repository)
    ? undefined
    : `invalid reference: invalid repository ${JSON.stringify(repository)}`;
}

function isHelperName(name: string): boolean {
  return name !== '' && !/[\\/]/.test(name);
}

function badHelper(name: string): string {
  return `specifies the invalid Docker credential helper name ${JSON.stringify(name)}. Must be a non-empty string that could be used as part of an executable filename.`;
}
