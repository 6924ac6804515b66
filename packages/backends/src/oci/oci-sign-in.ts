import { pathsOf, userErrorText } from '@terrane/host';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { BackendPorts } from '../backend.ts';
import { renewCredentials } from '../renewed-credentials.ts';
import { instancePrincipal } from './instance-principal.ts';
import { ociProfile } from './oci-config-file.ts';
import { regionOf } from './oci-regions.ts';
import { AUTH, type OciSettings } from './oci-settings.ts';
import type { OciIdentity } from './oci-signature.ts';
import { endOfToken } from './token-end.ts';

/** The signed-in identity and its region. */
export interface OciSignIn {
  readonly region: string;
  /** returns the current signing identity; sessions are renewed in time */
  identity(): Promise<OciIdentity>;
}

/** A possible source of sign-in settings. */
interface Source {
  readonly keyId?: string;
  readonly key?: KeyObject;
  readonly region?: string;
}

/** Resolves the configured credentials and the region. */
export async function ociSignIn(settings: OciSettings, ports: BackendPorts): Promise<OciSignIn> {
  const { signIn } = settings;
  const { clock, environment } = ports.host;
  const region = regionOf(settings.region);
  switch (signIn.auth) {
    case AUTH.instance.toLowerCase():
    case AUTH.instanceWithCerts.toLowerCase(): {
      const fromFiles = signIn.auth === AUTH.instanceWithCerts.toLowerCase();
      const ask = instancePrincipal(region, fromFiles, ports);
      return { region, identity: renewCredentials(clock, ask) };
    }
    case AUTH.resource.toLowerCase():
      return {
        region: region || regionOf(environment.get('OCI_RESOURCE_PRINCIPAL_REGION') ?? ''),
        identity: renewCredentials(clock, () => resourcePrincipal(ports)),
      };
    case AUTH.securityToken.toLowerCase(): {
      const path = configPath(ports);
      const ask = async () => {
        const profile = await profileIn(path, signIn.profile, ports);
        const { keyId = '', key } = await profileSource(
          profile,
          path,
          signIn.password,
          ports,
          true,
        );
        if (key === undefined) throw new Error(noKey(path, signIn.profile));
        return { value: { keyId, key }, expires: endOfToken(keyId) };
      };
      return { region, identity: renewCredentials(clock, ask) };
    }
    default:
      return await apiKey(settings, region, ports);
  }
}

/** Returns the API key of a user: from arguments, a profile, or the environment, in this order for each value. */
async function apiKey(
  { signIn }: OciSettings,
  region: string,
  ports: BackendPorts,
): Promise<OciSignIn> {
  const { environment } = ports.host;
  const sources: Source[] = [await argumentSource(signIn, region, ports)];
  const path = configPath(ports);
  if (signIn.profile !== '') {
    const profile = await profileIn(path, signIn.profile, ports);
    sources.push(await profileSource(profile, path, '', ports, false));
  } else {
    const text = await ports.host.files.readText(path).catch(() => '');
    const profile = ociProfile(text, 'DEFAULT');
    if (profile !== undefined) sources.push(await profileSource(profile, path, '', ports, false));
    sources.push(await argumentSource(variablesOfConfigurations(environment), '', ports));
  }
  const first = <K extends keyof Source>(name: K): Source[K] | undefined =>
    sources.map((source) => source[name]).find((value) => value !== undefined);
  const keyId = first('keyId');
  const key = first('key');
  const where = first('region') ?? regionOf(environment.get('OCI_REGION') ?? '');
  const missing = [
    ...(keyId === undefined
      ? ['who signs in ("tenancy_ocid", "user_ocid" and "fingerprint")']
      : []),
    ...(key === undefined ? ['the key ("private_key" or "private_key_path")'] : []),
    ...(where === '' ? ['the region ("region")'] : []),
  ];
  if (keyId === undefined || key === undefined || where === '') {
    throw new Error(
      `The backend "oci" is not told ${missing.join(', ')}: neither the configuration nor OCI_… variables nor the profile ${JSON.stringify(signIn.profile || 'DEFAULT')} of ${path} say it.`,
    );
  }
  return { region: where, identity: () => Promise.resolve({ keyId, key }) };
}

async function argumentSource(
  signIn: Omit<OciSettings['signIn'], 'auth' | 'profile'>,
  region: string,
  ports: BackendPorts,
): Promise<Source> {
  const { tenancy, user, fingerprint, privateKey, privateKeyPath, password } = signIn;
  const pem =
    privateKey !== ''
      ? privateKey.replaceAll(String.raw`\n`, '\n')
      : privateKeyPath !== ''
        ? await readKey(privateKeyPath, ports)
        : undefined;
  return {
    ...(tenancy !== '' && user !== '' && fingerprint !== ''
      ? { keyId: `${tenancy}/${user}/${fingerprint}` }
      : {}),
    ...(pem !== undefined && { key: parseKey(pem, password, privateKeyPath || '"private_key"') }),
    ...(region !== '' && { region }),
  };
}

/** Maps Terraform's environment variables to those of Oracle's library. */
function variablesOfConfigurations(
  environment: BackendPorts['host']['environment'],
): Omit<OciSettings['signIn'], 'auth' | 'profile'> {
  const inputVariable = (name: string): string => environment.get(`TF_VAR_${name}`) ?? '';
  return {
    tenancy: inputVariable('tenancy_ocid'),
    user: inputVariable('user_ocid'),
    fingerprint: inputVariable('fingerprint'),
    privateKey: '',
    privateKeyPath: inputVariable('private_key_path'),
    password: inputVariable('private_key_password'),
  };
}

async function profileIn(
  path: string,
  name: string,
  { host: { files } }: BackendPorts,
): Promise<ReadonlyMap<string, string>> {
  let text: string;
  try {
    text = await files.readText(path);
  } catch (error) {
    throw new Error(`The configuration file ${path} cannot be read: ${userErrorText(error)}`, {
      cause: error,
    });
  }
  const profile = ociProfile(text, name);
  if (profile === undefined) throw new Error(`configuration file did not contain profile: ${name}`);
  return profile;
}

/** Returns the identity of a profile; `withToken` requires a session token. */
async function profileSource(
  profile: ReadonlyMap<string, string>,
  path: string,
  password: string,
  ports: BackendPorts,
  withToken: boolean,
): Promise<Source> {
  const of = (name: string): string => profile.get(name) ?? '';
  const tokenFile = of('security_token_file');
  let keyId: string | undefined;
  if (of('user') !== '' && !withToken) {
    keyId = `${of('tenancy')}/${of('user')}/${of('fingerprint')}`;
  } else if (tokenFile !== '') {
    const read = await ports.host.files
      .readText(expandHome(tokenFile, ports))
      .catch((error: unknown) => {
        throw new Error(
          `The security token that ${path} names cannot be read: ${userErrorText(error)}`,
          { cause: error },
        );
      });
    keyId = `ST$${read.trim()}`;
  } else if (withToken) {
    throw new Error(`The profile in ${path} has no "security_token_file".`);
  }
  const keyFile = of('key_file');
  const key =
    keyFile === ''
      ? undefined
      : parseKey(await readKey(keyFile, ports), of('pass_phrase') || password, keyFile);
  const region = regionOf(of('region'));
  return {
    ...(keyId !== undefined && { keyId }),
    ...(key !== undefined && { key }),
    ...(region !== '' && { region }),
  };
}

/** Returns the session of a resource principal, such as a function, from its environment (version 2.2). */
async function resourcePrincipal(
  ports: BackendPorts,
): Promise<{ readonly value: OciIdentity; readonly expires: number | undefined }> {
  const { environment, files } = ports.host;
  const name = (part: string): string => `OCI_RESOURCE_PRINCIPAL_${part}`;
  const version = environment.get(name('VERSION')) ?? '';
  const missing = (part: string): Error =>
    new Error(
      `can not create resource principal, environment variable: ${name(part)}, not present`,
    );
  if (version === '') throw missing('VERSION');
  if (version !== '2.2') {
    throw new Error(
      `The backend "oci" knows resource principals of version 2.2, and ${name('VERSION')} is ${JSON.stringify(version)}.`,
    );
  }
  /** A path, or the content of the file. */
  const material = async (part: string): Promise<string | undefined> => {
    const text = environment.get(name(part));
    if (text === undefined || text === '') return undefined;
    return text.startsWith('/') ? await files.readText(text) : text;
  };
  const token = await material('RPST');
  if (token === undefined) throw missing('RPST');
  const pem = await material('PRIVATE_PEM');
  if (pem === undefined) throw missing('PRIVATE_PEM');
  const passphrase = (await material('PRIVATE_PEM_PASSPHRASE')) ?? '';
  const keyId = `ST$${token.trim()}`;
  const key = parseKey(pem, passphrase.trim(), name('PRIVATE_PEM'));
  return { value: { keyId, key }, expires: endOfToken(keyId) };
}

async function readKey(path: string, ports: BackendPorts): Promise<string> {
  try {
    return await ports.host.files.readText(expandHome(path, ports));
  } catch (error) {
    throw new Error(
      `can not read private key from: '${path}', Error: ${JSON.stringify(userErrorText(error))}`,
      { cause: error },
    );
  }
}

function parseKey(pem: string, password: string, where: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(password !== '' && { passphrase: password }) });
  } catch {
    // The library's message may contain parts of the key.
    throw new Error(
      `The private key of the backend "oci" in ${where} cannot be read: it is no RSA key in PEM${password === '' ? ', or it wants a "private_key_password"' : ', or its password is another'}.`,
    );
  }
}

function noKey(path: string, profile: string): string {
  return `The profile ${JSON.stringify(profile)} of ${path} has no "key_file".`;
}

function homeOf({ host: { environment } }: BackendPorts): string {
  return environment.get('OCI_HOME_OVERRIDE') || (environment.homeDirectory ?? '');
}

function configPath(ports: BackendPorts): string {
  return pathsOf(ports.host.environment).join(homeOf(ports), '.oci', 'config');
}

function expandHome(path: string, ports: BackendPorts): string {
  return path.startsWith('~/')
    ? pathsOf(ports.host.environment).join(homeOf(ports), path.slice(2))
    : path;
}
