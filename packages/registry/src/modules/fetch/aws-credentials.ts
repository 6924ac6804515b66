import { bodyText } from '@terrane/host';
import { xmlTextByName } from '@terrane/host/xml';
import { sign } from 'aws4';
import { amzDate } from './amz-date.ts';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';
import { parseIni } from './ini-file.ts';

/** Keys to sign requests with. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

type Profile = ReadonlyMap<string, string>;

/**
 * Returns the credentials that the AWS tools would use: of the named profile, otherwise of the environment, the default
 * profile, a web identity token, the container, or the machine. Undefined if none are configured; throws `FetchFailed`
 * if configured ones are not available.
 */
export async function awsCredentials(
  context: FetchContext,
  profile: string,
  region: string,
): Promise<AwsCredentials | undefined> {
  const get = (name: string): string => context.host.environment.get(name) ?? '';
  const named = profile === '' ? get('AWS_PROFILE') || get('AWS_DEFAULT_PROFILE') : profile;
  if (profile === '') {
    const fromEnvironment = keys(
      get('AWS_ACCESS_KEY_ID') || get('AWS_ACCESS_KEY'),
      get('AWS_SECRET_ACCESS_KEY') || get('AWS_SECRET_KEY'),
      get('AWS_SESSION_TOKEN'),
    );
    if (fromEnvironment !== undefined) return fromEnvironment;
  }
  const profiles = await readProfiles(context);
  const chosen = profiles.get(named === '' ? 'default' : named);
  if (chosen === undefined && named !== '') {
    throw new FetchFailed(`failed to get shared config profile, ${named}`);
  }
  const request = { context, profiles, region };
  const fromProfile = chosen === undefined ? undefined : await ofProfile(request, chosen, []);
  return (
    fromProfile ??
    (await ofWebIdentity(request, {
      file: get('AWS_WEB_IDENTITY_TOKEN_FILE'),
      role: get('AWS_ROLE_ARN'),
      session: get('AWS_ROLE_SESSION_NAME'),
    })) ??
    (await ofContainer(context)) ??
    (await ofMachine(context))
  );
}

function keys(id: string, secret: string, token: string): AwsCredentials | undefined {
  if (id === '' || secret === '') return undefined;
  return {
    accessKeyId: id,
    secretAccessKey: secret,
    ...(token === '' ? {} : { sessionToken: token }),
  };
}

async function readProfiles(context: FetchContext): Promise<ReadonlyMap<string, Profile>> {
  const { environment, files } = context.host;
  const home = environment.homeDirectory ?? '';
  const profiles = new Map<string, Map<string, string>>();
  const read = async (path: string, nameOf: (section: string) => string | undefined) => {
    if ((await files.stat(path))?.kind !== 'file') return;
    for (const [section, values] of parseIni(await files.readText(path))) {
      const name = nameOf(section);
      if (name !== undefined)
        profiles.set(name, new Map([...(profiles.get(name) ?? []), ...values]));
    }
  };
  await read(environment.get('AWS_CONFIG_FILE') || `${home}/.aws/config`, (section) =>
    section === 'default' ? section : /^profile (.+)$/.exec(section)?.[1],
  );
  await read(
    environment.get('AWS_SHARED_CREDENTIALS_FILE') || `${home}/.aws/credentials`,
    (section) => section,
  );
  return profiles;
}

interface Request {
  readonly context: FetchContext;
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly region: string;
}

async function ofProfile(
  request: Request,
  profile: Profile,
  seen: readonly Profile[],
): Promise<AwsCredentials | undefined> {
  const get = (name: string): string => profile.get(name) ?? '';
  const role = get('role_arn');
  if (role !== '' && !seen.includes(profile)) {
    if (get('web_identity_token_file') !== '') {
      const session = get('role_session_name');
      return await ofWebIdentity(request, { file: get('web_identity_token_file'), role, session });
    }
    const source = request.profiles.get(get('source_profile'));
    if (source !== undefined) {
      const base = await ofProfile(request, source, [...seen, profile]);
      if (base !== undefined) {
        const extra =
          get('external_id') === '' ? [] : [['ExternalId', get('external_id')] as const];
        return await askTokens(request, base, [
          ['Action', 'AssumeRole'],
          ...extra,
          ['RoleArn', role],
          ['RoleSessionName', get('role_session_name') || 'terrane'],
        ]);
      }
    }
  }
  const staticKeys = keys(
    get('aws_access_key_id'),
    get('aws_secret_access_key'),
    get('aws_session_token'),
  );
  if (staticKeys !== undefined) return staticKeys;
  const command = get('credential_process');
  return command === '' ? undefined : await ofProcess(request.context, command);
}

async function ofProcess(context: FetchContext, command: string): Promise<AwsCredentials> {
  const shell = context.host.environment.platform === 'win32' ? ['cmd.exe', '/C'] : ['sh', '-c'];
  const [program = 'sh', flag = '-c'] = shell;
  const { signal } = context;
  const { code, stdout } = await context.host.spawn.run(program, [flag, command], { signal });
  const credentials = code === 0 ? keysOfJson(stdout) : undefined;
  if (credentials !== undefined) return credentials;
  throw new FetchFailed('the credential_process of the AWS profile gave no credentials');
}

async function ofWebIdentity(
  request: Request,
  webIdentity: { readonly file: string; readonly role: string; readonly session: string },
): Promise<AwsCredentials | undefined> {
  if (webIdentity.file === '' || webIdentity.role === '') return undefined;
  const token = await request.context.host.files.readText(webIdentity.file);
  return await askTokens(request, undefined, [
    ['Action', 'AssumeRoleWithWebIdentity'],
    ['RoleArn', webIdentity.role],
    ['RoleSessionName', webIdentity.session === '' ? 'terrane' : webIdentity.session],
    ['WebIdentityToken', token.trim()],
  ]);
}

/** Requests credentials of a role from the security token service. */
async function askTokens(
  { context, region }: Request,
  credentials: AwsCredentials | undefined,
  parameters: readonly (readonly [string, string])[],
): Promise<AwsCredentials> {
  const { host, signal } = context;
  const configuredEndpoint =
    host.environment.get('AWS_ENDPOINT_URL_STS') || host.environment.get('AWS_ENDPOINT_URL');
  const endpoint = new URL(configuredEndpoint || `https://sts.${region}.amazonaws.com`);
  const body = new URLSearchParams([
    ...parameters.map(([name, value]): [string, string] => [name, value]),
    ['Version', '2011-06-15'],
  ]);
  const text = body.toString();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const headers: Record<string, string> = { ...form };
  if (credentials !== undefined) {
    const signed = sign(
      {
        host: endpoint.host,
        method: 'POST',
        path: '/',
        service: 'sts',
        region,
        body: text,
        headers: { ...form, 'X-Amz-Date': amzDate(host.clock.now()) },
      },
      credentials,
    );
    for (const [name, value] of Object.entries(signed.headers ?? {})) {
      if (!/^(?:host|content-length)$/i.test(name)) headers[name] = String(value);
    }
  }
  const url = `${endpoint.origin}/`;
  const answer = await host.http.request(url, { method: 'POST', headers, body: text, signal });
  const textOf = xmlTextByName(await bodyText(answer));
  const issued = keys(
    textOf('AccessKeyId') ?? '',
    textOf('SecretAccessKey') ?? '',
    textOf('SessionToken') ?? '',
  );
  if (issued !== undefined) return issued;
  throw awsFailure(answer.status, textOf);
}

async function ofContainer(context: FetchContext): Promise<AwsCredentials | undefined> {
  const { environment, files } = context.host;
  const relative = environment.get('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI') ?? '';
  const full = environment.get('AWS_CONTAINER_CREDENTIALS_FULL_URI') ?? '';
  if (relative === '' && full === '') return undefined;
  const url = relative === '' ? full : `http://169.254.170.2${relative}`;
  const file = environment.get('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE') ?? '';
  const token =
    file === ''
      ? (environment.get('AWS_CONTAINER_AUTHORIZATION_TOKEN') ?? '')
      : (await files.readText(file)).trim();
  const headers = token === '' ? {} : { authorization: token };
  const answer = await context.host.http.request(url, { headers, signal: context.signal });
  return keysOfJson(await bodyText(answer));
}

const MACHINE_TIMEOUT_MS = 1000;

/** Returns the credentials of the virtual machine this runs on, by version 2 of its metadata service. */
async function ofMachine(context: FetchContext): Promise<AwsCredentials | undefined> {
  const { environment, http } = context.host;
  if ((environment.get('AWS_EC2_METADATA_DISABLED') ?? '').toLowerCase() === 'true') {
    return undefined;
  }
  const base =
    environment.get('AWS_METADATA_URL') ||
    environment.get('AWS_EC2_METADATA_SERVICE_ENDPOINT') ||
    'http://169.254.169.254';
  const root = base.replace(/\/+$/, '').replace(/\/latest$/, '');
  const shared = { timeoutMs: MACHINE_TIMEOUT_MS, signal: context.signal };
  try {
    const tokenResponse = await http.request(`${root}/latest/api/token`, {
      ...shared,
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' },
    });
    const token = await bodyText(tokenResponse);
    const headers: Readonly<Record<string, string>> =
      tokenResponse.status === 200 ? { 'x-aws-ec2-metadata-token': token } : {};
    const path = `${root}/latest/meta-data/iam/security-credentials/`;
    const role = await http.request(path, { ...shared, headers });
    const [name = ''] = (await bodyText(role)).split('\n');
    if (role.status !== 200 || name.trim() === '') return undefined;
    const answer = await http.request(`${path}${name.trim()}`, { ...shared, headers });
    return keysOfJson(await bodyText(answer));
  } catch {
    context.signal.throwIfAborted();
    return undefined; // Not an EC2 instance.
  }
}

function keysOfJson(text: string): AwsCredentials | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const values = new Map(Object.entries(parsed));
    const value = (name: string): string => {
      const member: unknown = values.get(name);
      return typeof member === 'string' ? member : '';
    };
    const token = value('SessionToken') || value('Token');
    return keys(value('AccessKeyId'), value('SecretAccessKey'), token);
  } catch {
    return undefined;
  }
}

/** Returns the error for an error response of an AWS service, worded as the AWS SDK for Go does. */
export function awsFailure(
  status: number,
  textOf: (name: string) => string | undefined,
): FetchFailed {
  const code = textOf('Code') ?? 'UnknownError';
  return new FetchFailed(`${code}: ${textOf('Message') ?? ''}\n\tstatus code: ${status}`);
}
