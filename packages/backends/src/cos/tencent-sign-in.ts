import { pathsOf, userErrorText } from '@terrane/host';
import type { BackendPorts } from '../backend.ts';
import { fieldsOf, jsonFields, textIn } from '../json-fields.ts';
import { renewCredentials } from '../renewed-credentials.ts';
import { askService } from '../service-request.ts';
import type { CosRole, CosSettings } from './cos-settings.ts';
import { tencentCall, type TencentKeys } from './tencent-api.ts';

const METADATA = 'http://metadata.tencentyun.com/latest/meta-data/cam/security-credentials/';
const METADATA_MS = 2_000;
const DEFAULT_SECONDS = 7200;

/**
 * Resolves credentials in Terraform's order: keys of the configuration or the environment, of a tccli profile, of the
 * instance role; and assumes the configured role with them, if any. Returns a provider of current keys, which renews
 * those of a role in time.
 */
export async function tencentSignIn(
  settings: CosSettings,
  ports: BackendPorts,
): Promise<() => Promise<TencentKeys>> {
  const { signIn, domain, region } = settings;
  const { clock } = ports.host;
  const configured: TencentKeys = {
    id: signIn.secretId,
    secret: signIn.secretKey,
    token: signIn.token,
  };
  const isGiven = Object.values(configured).some((each) => each !== '');
  const profile = isGiven ? new Map<string, unknown>() : await profileOf(settings, ports);
  const keys = isGiven
    ? configured
    : {
        id: textIn(profile, 'secretId').trim(),
        secret: textIn(profile, 'secretKey').trim(),
        token: textIn(profile, 'token').trim(),
      };
  const signInKeys =
    signIn.machineRole === ''
      ? () => Promise.resolve(keys)
      : renewCredentials(clock, () => keysOfMachine(signIn.machineRole, ports));
  const role = signIn.role ?? roleOfProfile(profile);
  if (role === undefined) return signInKeys;
  return renewCredentials(clock, async () => {
    const answer = await tencentCall(
      ports,
      {
        service: 'sts',
        domain,
        region,
        action: 'AssumeRole',
        parameters: {
          RoleArn: role.arn,
          RoleSessionName: role.sessionName,
          DurationSeconds: role.seconds,
          // The documentation of the operation requires double encoding.
          ...(role.policy !== '' && { Policy: encodeURIComponent(role.policy) }),
          ...(role.externalId !== '' && { ExternalId: role.externalId }),
        },
      },
      await signInKeys(),
    );
    return {
      value: keysIn(fieldsOf(answer.get('Credentials'))),
      expires: endIn(answer),
    };
  });
}

function roleOfProfile(profile: ReadonlyMap<string, unknown>): CosRole | undefined {
  const arn = textIn(profile, 'role-arn').trim();
  const sessionName = textIn(profile, 'role-session-name').trim();
  if (arn === '' || sessionName === '') return undefined;
  return { arn, sessionName, seconds: DEFAULT_SECONDS, policy: '', externalId: '' };
}

/** Reads `PROFILE.credential` of tccli; empty if there is no such file. */
async function profileOf(
  { signIn: { profile, credentialsDirectory } }: CosSettings,
  { host: { environment, files } }: BackendPorts,
): Promise<ReadonlyMap<string, unknown>> {
  const { join } = pathsOf(environment);
  const home = environment.homeDirectory ?? '';
  const directory =
    credentialsDirectory === ''
      ? join(home, '.tccli')
      : credentialsDirectory.replace(/^~(?=[/\\]|$)/, home);
  const path = join(directory, `${profile}.credential`);
  if ((await files.stat(path)) === undefined) return new Map();
  try {
    return fieldsOf(JSON.parse(await files.readText(path)));
  } catch (error) {
    // The parser's message may quote a secret.
    const reason = error instanceof SyntaxError ? 'it is no JSON' : userErrorText(error);
    throw new Error(`The credentials of tccli in ${path} cannot be read: ${reason}.`, {
      cause: error,
    });
  }
}

/** Requests the keys of the instance role from the metadata service. */
async function keysOfMachine(
  role: string,
  ports: BackendPorts,
): Promise<{ readonly value: TencentKeys; readonly expires: number | undefined }> {
  const { status, body } = await askService(
    ports,
    () => ({
      url: `${METADATA}${encodeURIComponent(role)}`,
      timeoutMs: METADATA_MS,
      proxy: '',
    }),
    2,
  ).catch((error: unknown) => {
    throw new Error(
      `The metadata service of the machine does not tell the keys of its role ${JSON.stringify(role)}: ${userErrorText(error)}`,
      { cause: error },
    );
  });
  const fields = jsonFields(body);
  const value = keysIn(fields);
  if (status !== 200 || value.id === '') {
    throw new Error(
      `The machine has no keys for a role ${JSON.stringify(role)}: its metadata service answers ${textIn(fields, 'Code') || `with status ${status}`}.`,
    );
  }
  return { value, expires: endIn(fields) };
}

function keysIn(fields: ReadonlyMap<string, unknown>): TencentKeys {
  return {
    id: textIn(fields, 'TmpSecretId'),
    secret: textIn(fields, 'TmpSecretKey'),
    token: textIn(fields, 'Token'),
  };
}

/** Seconds since 1970, as milliseconds. */
function endIn(fields: ReadonlyMap<string, unknown>): number | undefined {
  const seconds = fields.get('ExpiredTime');
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}
