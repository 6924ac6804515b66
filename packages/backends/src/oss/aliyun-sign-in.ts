import { bodyText, pathsOf, userErrorText } from '@terrane/host';
import type { BackendPorts } from '../backend.ts';
import { fieldsOf, jsonFields, textIn } from '../json-fields.ts';
import { endOf, renewCredentials } from '../renewed-credentials.ts';
import { askService } from '../service-request.ts';
import type { AliyunKeys } from './aliyun-keys.ts';
import { aliyunRpc, sessionKeys } from './aliyun-rpc.ts';
import type { OssSettings } from './oss-settings.ts';

const MAX_TOKEN_BYTES = 64 * 1024;

/** The signed-in identity and its region. */
export interface AliyunSignIn {
  /** empty: it is not known */
  readonly region: string;
  /** the keys of now: those of a role are renewed in time */
  keys(): Promise<AliyunKeys>;
}

const METADATA = 'http://100.100.100.200/latest';
const METADATA_MS = 5_000;
const DEFAULT_SECONDS = 3600;

/**
 * Resolves credentials in Terraform's order: keys of the configuration or the environment, of a profile, or of the
 * instance role; and assumes the configured role with them, if any.
 */
export async function aliyunSignIn(
  settings: OssSettings,
  ports: BackendPorts,
): Promise<AliyunSignIn> {
  const { signIn } = settings;
  const profile = await profileOf(settings, ports);
  const first = (configured: string, key: string): string =>
    configured === '' ? profile(key) : configured;
  const region = first(settings.region, 'region_id');
  const keys: AliyunKeys = {
    id: first(signIn.accessKey, 'access_key_id'),
    secret: first(signIn.secretKey, 'access_key_secret'),
    token: first(signIn.securityToken, 'sts_token'),
  };
  const machineRole = first(signIn.ecsRole, 'ram_role_name');
  const { clock, environment } = ports.host;
  const ownKeys =
    keys.id !== '' || machineRole === ''
      ? () => Promise.resolve(keys)
      : renewCredentials(clock, () => keysOfMachine(machineRole, ports));
  const variableSeconds = Number(environment.get('ALICLOUD_ASSUME_ROLE_SESSION_EXPIRATION') ?? '');
  const seconds = signIn.role?.seconds || Number(profile('expired_seconds')) || variableSeconds;
  const arn = signIn.role?.arn || profile('ram_role_arn');
  if (arn === '') return { region, keys: ownKeys };
  const parameters = {
    RoleArn: arn,
    RoleSessionName: signIn.role?.sessionName || profile('ram_session_name') || 'terraform',
    DurationSeconds: String(Number.isInteger(seconds) && seconds > 0 ? seconds : DEFAULT_SECONDS),
    ...(signIn.role !== undefined && signIn.role.policy !== ''
      ? { Policy: signIn.role.policy }
      : {}),
    ...(region !== '' && { RegionId: region }),
  };
  const origin = stsOrigin(signIn.stsEndpoint, region);
  return {
    region,
    keys: renewCredentials(clock, async () => {
      const answer = await aliyunRpc(
        ports,
        { origin, version: '2015-04-01', action: 'AssumeRole', parameters },
        await ownKeys(),
      );
      const session = sessionKeys(answer);
      return { value: session.keys, expires: endOf(session.expiration) };
    }),
  };
}

function stsOrigin(endpoint: string, region: string): string {
  if (/^https?:\/\//.test(endpoint)) return endpoint.replace(/\/+$/, '');
  if (endpoint !== '') return `https://${endpoint}`;
  return region === '' ? 'https://sts.aliyuncs.com' : `https://sts.${region}.aliyuncs.com`;
}

/** Reads the keys of a profile that apply to its mode; empty if it is absent. */
async function profileOf(
  { signIn: { profile, credentialsFile } }: OssSettings,
  { host: { environment, files } }: BackendPorts,
): Promise<(name: string) => string> {
  if (profile === '') return () => '';
  const home = environment.homeDirectory ?? '';
  const path =
    credentialsFile === ''
      ? pathsOf(environment).join(home, '.aliyun', 'config.json')
      : credentialsFile.replace(/^~(?=[/\\]|$)/, home);
  if ((await files.stat(path)) === undefined) return () => '';
  let profiles: unknown;
  try {
    profiles = fieldsOf(JSON.parse(await files.readText(path))).get('profiles');
  } catch (error) {
    // The parser's message may quote a secret.
    const reason = error instanceof SyntaxError ? 'it is no JSON' : userErrorText(error);
    throw new Error(`The shared credentials file ${path} cannot be read: ${reason}.`, {
      cause: error,
    });
  }
  const profileFields = (Array.isArray(profiles) ? profiles : [])
    .map((each: unknown) => fieldsOf(each))
    .findLast((each) => textIn(each, 'name') === profile);
  if (profileFields === undefined) return () => '';
  const mode = textIn(profileFields, 'mode');
  return (name) => {
    const modes = MODES_OF[name];
    if (mode !== '' && modes !== undefined && !modes(mode)) return '';
    const value = profileFields.get(name);
    return typeof value === 'number' ? String(value) : textIn(profileFields, name);
  };
}

/** The modes of a profile in which a key applies. */
const MODES_OF: Readonly<Record<string, (mode: string) => boolean>> = {
  access_key_id: (mode) => mode !== 'EcsRamRole',
  access_key_secret: (mode) => mode !== 'EcsRamRole',
  ram_role_name: (mode) => mode === 'EcsRamRole',
  sts_token: (mode) => mode === 'StsToken',
  ram_role_arn: (mode) => mode === 'RamRoleArn',
  ram_session_name: (mode) => mode === 'RamRoleArn',
  expired_seconds: (mode) => mode === 'RamRoleArn',
};

/** Requests the keys of the instance role from the metadata service. */
async function keysOfMachine(
  role: string,
  ports: BackendPorts,
): Promise<{ readonly value: AliyunKeys; readonly expires: number | undefined }> {
  const token = await metadataToken(ports);
  let answer;
  try {
    answer = await askService(
      ports,
      () => ({
        url: `${METADATA}/meta-data/ram/security-credentials/${encodeURIComponent(role)}`,
        timeoutMs: METADATA_MS,
        proxy: '',
        ...(token !== '' && { headers: { 'x-aliyun-ecs-metadata-token': token } }),
      }),
      2,
    );
  } catch (error) {
    throw new Error(`get Ecs sts token err : ${userErrorText(error)}`, { cause: error });
  }
  if (answer.status !== 200) {
    throw new Error(`get Ecs sts token err, httpStatus: ${answer.status}`);
  }
  const fields = jsonFields(answer.body);
  if (textIn(fields, 'Code') !== 'Success') {
    throw new Error('refresh Ecs sts token err, Code is not Success');
  }
  const value = {
    id: textIn(fields, 'AccessKeyId'),
    secret: textIn(fields, 'AccessKeySecret'),
    token: textIn(fields, 'SecurityToken'),
  };
  if (value.id === '' || value.secret === '' || value.token === '') {
    throw new Error(
      `there is no any available accesskey, secret and security token for Ecs role ${role}`,
    );
  }
  return { value, expires: endOf(textIn(fields, 'Expiration')) };
}

/** Returns the token that a hardened metadata service requires; empty if the service issues none. */
async function metadataToken({ host, signal }: BackendPorts): Promise<string> {
  try {
    const answer = await host.http.request(`${METADATA}/api/token`, {
      method: 'PUT',
      headers: { 'x-aliyun-ecs-metadata-token-ttl-seconds': '300' },
      timeoutMs: METADATA_MS,
      proxy: '',
      ...(signal !== undefined && { signal }),
    });
    const text = await bodyText(answer, MAX_TOKEN_BYTES);
    return answer.status === 200 ? text.trim() : '';
  } catch {
    signal?.throwIfAborted();
    return '';
  }
}
