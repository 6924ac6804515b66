import type { AwsCredentialIdentity } from '@smithy/types';
import type { Clock, Environment, FileSystem, Http } from '@terrane/host';
import type { AssumedRole, AwsSettings, Role } from '../configuration/settings.ts';
import { AwsError } from '../request/aws-error.ts';
import { instanceCredentials } from './instance-credentials.ts';
import type * as Libraries from './libraries/aws-credentials.ts';
import type { SdkRequestHandler } from './host-handler.ts';

/** The libraries, once they are loaded. */
export type AwsLibraries = typeof Libraries;

/** Gives credentials; called again when they have run out. */
export type CredentialSource = () => Promise<AwsCredentialIdentity>;

/** What of the outside world finding credentials needs. */
export interface CredentialHost {
  readonly http: Http;
  readonly environment: Environment;
  readonly files: FileSystem;
  readonly clock: Clock;
}

/** What finding credentials needs. */
export interface CredentialPorts {
  readonly aws: AwsLibraries;
  readonly host: CredentialHost;
  readonly settings: AwsSettings;
  readonly region: string;
  /** for requests to Amazon's other services */
  readonly shared: {
    readonly requestHandler: SdkRequestHandler;
    readonly maxAttempts: number;
    readonly useFipsEndpoint: boolean;
    readonly useDualstackEndpoint: boolean;
  };
}

/**
 * Where credentials come from, in the order in which Terraform looks: arguments, a named profile, the environment, the
 * usual profile, the container, the machine; then the role to be assumed. They have been had once when this resolves.
 */
export async function credentialSource(ports: CredentialPorts): Promise<CredentialSource> {
  const { settings } = ports;
  const first = await firstSource(ports);
  let source = first;
  for (const role of settings.assumeRoles) source = await assumed(ports, source, role);
  return source;
}

async function assumed(
  ports: CredentialPorts,
  before: CredentialSource,
  { externalId, sourceIdentity, tags, transitiveTagKeys, ...role }: AssumedRole,
): Promise<CredentialSource> {
  const tagged = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const source = cached(
    ports.host,
    ports.aws.fromTemporaryCredentials({
      masterCredentials: before,
      clientConfig: stsOptions(ports),
      params: {
        ...roleParameters(role),
        RoleSessionName: role.sessionName ?? sessionName(ports),
        ...(externalId === undefined ? {} : { ExternalId: externalId }),
        ...(sourceIdentity === undefined ? {} : { SourceIdentity: sourceIdentity }),
        ...(tagged.length === 0 ? {} : { Tags: tagged }),
        ...(transitiveTagKeys.length === 0 ? {} : { TransitiveTagKeys: [...transitiveTagKeys] }),
      },
    }),
  );
  return await tried(
    source,
    (problem) => `Cannot assume IAM Role

IAM Role (${role.arn}) cannot be assumed.

There are a number of possible causes of this - the most common are:
  * The credentials used in order to assume the role are invalid
  * The credentials do not have appropriate permission to assume the role
  * The role ARN is not valid

Error: ${new AwsError('STS', 'AssumeRole', problem).message}`,
  );
}

async function firstSource(ports: CredentialPorts): Promise<CredentialSource> {
  const { settings, host, aws } = ports;
  const { keys, webIdentity } = settings;
  if (keys !== undefined) {
    if (keys.accessKeyId === '' || keys.secretAccessKey === '') {
      throw new Error('retrieving credentials: static credentials are empty');
    }
    return () => Promise.resolve({ ...keys });
  }
  if (webIdentity !== undefined) {
    const source = cached(
      host,
      webToken(
        ports,
        webIdentity,
        async () => webIdentity.token ?? (await textFile(host, webIdentity.tokenFile ?? '')),
      ),
    );
    return await tried(
      source,
      (problem) => `Cannot assume IAM Role with web identity

IAM Role (${webIdentity.arn}) cannot be assumed with web identity token.

There are a number of possible causes of this - the most common are:
  * The web identity token used in order to assume the role is invalid
  * The web identity token does not have appropriate permission to assume the role
  * The role ARN is not valid

Error: ${new AwsError('STS', 'AssumeRoleWithWebIdentity', problem).message}`,
    );
  }
  return await tried(
    cached(host, anySource(ports, aws)),
    (problem) => `No valid credential sources found

Please see https://registry.terraform.io/providers/hashicorp/aws
for more information about providing credentials.

Error: ${messageOf(problem)}`,
  );
}

/** The first of the places outside the configuration that has credentials. */
function anySource(ports: CredentialPorts, aws: AwsLibraries): CredentialSource {
  const { settings, host } = ports;
  const variable = (...names: readonly string[]): string =>
    names.map((name) => host.environment.get(name) ?? '').find((value) => value !== '') ?? '';
  if (settings.profile !== undefined) return profileSource(ports, settings.profile);
  const accessKeyId = variable('AWS_ACCESS_KEY_ID', 'AWS_ACCESS_KEY');
  const secretAccessKey = variable('AWS_SECRET_ACCESS_KEY', 'AWS_SECRET_KEY');
  if (accessKeyId !== '' && secretAccessKey !== '') {
    const sessionToken = variable('AWS_SESSION_TOKEN');
    return () =>
      Promise.resolve({
        accessKeyId,
        secretAccessKey,
        ...(sessionToken === '' ? {} : { sessionToken }),
      });
  }
  const tokenFile = variable('AWS_WEB_IDENTITY_TOKEN_FILE');
  if (tokenFile !== '') {
    const name = variable('AWS_ROLE_SESSION_NAME');
    const role: Role = {
      arn: variable('AWS_ROLE_ARN'),
      policyArns: [],
      ...(name === '' ? {} : { sessionName: name }),
    };
    return webToken(ports, role, () => textFile(host, tokenFile));
  }
  const named = variable('AWS_PROFILE', 'AWS_DEFAULT_PROFILE');
  return async () => {
    const files = await sharedFiles(ports);
    const profile = named === '' ? 'default' : named;
    if (named !== '' || files.profiles.has(profile)) return await profileSource(ports, profile)();
    const relative = variable('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
    const full = variable('AWS_CONTAINER_CREDENTIALS_FULL_URI');
    if (relative !== '' || full !== '') {
      const token = variable('AWS_CONTAINER_AUTHORIZATION_TOKEN');
      const file = variable('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE');
      return await aws.fromHttp({
        ...(relative === '' ? {} : { awsContainerCredentialsRelativeUri: relative }),
        ...(full === '' ? {} : { awsContainerCredentialsFullUri: full }),
        ...(token === '' ? {} : { awsContainerAuthorizationToken: token }),
        ...(file === '' ? {} : { awsContainerAuthorizationTokenFile: file }),
      })();
    }
    if (settings.metadataDisabled) {
      throw new Error(
        'failed to refresh cached credentials, no EC2 IMDS role found, operation error ec2imds: GetMetadata, access disabled to EC2 IMDS via client option, or "AWS_EC2_METADATA_DISABLED" environment variable',
      );
    }
    return await instanceCredentials(host.http, settings);
  };
}

/** Profiles of the shared files, and under which names the libraries find those. */
export async function sharedFiles({
  aws,
  host,
  settings,
}: Pick<CredentialPorts, 'aws' | 'host' | 'settings'>): Promise<{
  readonly filepath: string;
  readonly configFilepath: string;
  readonly profiles: ReadonlySet<string>;
  /** regions of those that say one */
  readonly regions: ReadonlyMap<string, string>;
}> {
  const home = host.environment.homeDirectory ?? '';
  const credentials =
    settings.credentialsFiles.length > 0 ? settings.credentialsFiles : [`${home}/.aws/credentials`];
  const config = settings.configFiles.length > 0 ? settings.configFiles : [`${home}/.aws/config`];
  // The libraries read one file of each kind; of several, later ones add to and override earlier ones.
  const filepath = credentials.join(',');
  const configFilepath = config.join(',');
  aws.externalDataInterceptor.interceptFile(filepath, await textFiles(host, credentials));
  aws.externalDataInterceptor.interceptFile(configFilepath, await textFiles(host, config));
  const read = await aws.loadSharedConfigFiles({ filepath, configFilepath, ignoreCache: true });
  const profiles = [...Object.keys(read.configFile), ...Object.keys(read.credentialsFile)];
  const regions = Object.entries(read.configFile).flatMap(([name, { region }]) =>
    region === undefined ? [] : [[name, region] as const],
  );
  return { filepath, configFilepath, profiles: new Set(profiles), regions: new Map(regions) };
}

function profileSource(ports: CredentialPorts, profile: string): CredentialSource {
  const { aws, shared, settings } = ports;
  return async () => {
    const { filepath, configFilepath, profiles } = await sharedFiles(ports);
    if (!profiles.has(profile)) {
      throw new Error(`failed to get shared config profile, ${profile}`);
    }
    const sso = settings.endpoints['sso'];
    return await aws.fromIni({
      profile,
      filepath,
      configFilepath,
      ignoreCache: true,
      parentClientConfig: { region: ports.region, requestHandler: shared.requestHandler },
      clientConfig: { ...shared, ...(sso === undefined ? {} : { endpoint: sso }) },
      async roleAssumer(source, parameters) {
        return await aws.fromTemporaryCredentials({
          masterCredentials: source,
          clientConfig: stsOptions(ports),
          params: {
            ...parameters,
            RoleSessionName: parameters.RoleSessionName ?? sessionName(ports),
          },
        })();
      },
      async roleAssumerWithWebIdentity({ RoleArn, RoleSessionName, WebIdentityToken }) {
        return await aws.fromWebToken({
          roleArn: RoleArn ?? '',
          roleSessionName: RoleSessionName ?? sessionName(ports),
          webIdentityToken: WebIdentityToken ?? '',
          clientConfig: stsOptions(ports),
        })();
      },
    })();
  };
}

function stsOptions({ settings, shared, region }: CredentialPorts): CredentialPorts['shared'] & {
  readonly region: string;
  readonly endpoint?: string;
} {
  const sts = settings.endpoints['sts'];
  return {
    ...shared,
    region: settings.stsRegion ?? region,
    ...(sts === undefined ? {} : { endpoint: sts }),
  };
}

function webToken(
  ports: CredentialPorts,
  role: Role,
  token: () => Promise<string>,
): CredentialSource {
  return async () =>
    await ports.aws.fromWebToken({
      roleArn: role.arn,
      roleSessionName: role.sessionName ?? sessionName(ports),
      webIdentityToken: await token(),
      clientConfig: stsOptions(ports),
      ...(role.seconds === undefined ? {} : { durationSeconds: role.seconds }),
      ...(role.policy === undefined ? {} : { policy: role.policy }),
      ...(role.policyArns.length === 0
        ? {}
        : { policyArns: role.policyArns.map((arn) => ({ arn })) }),
    })();
}

function roleParameters(role: Role): {
  readonly RoleArn: string;
  readonly DurationSeconds?: number;
  readonly Policy?: string;
  readonly PolicyArns?: { arn: string }[];
} {
  return {
    RoleArn: role.arn,
    ...(role.seconds === undefined ? {} : { DurationSeconds: role.seconds }),
    ...(role.policy === undefined ? {} : { Policy: role.policy }),
    ...(role.policyArns.length === 0
      ? {}
      : { PolicyArns: role.policyArns.map((arn) => ({ arn })) }),
  };
}

function sessionName({ host }: CredentialPorts): string {
  return `terrane-${host.clock.now().getTime()}`;
}

/** Credentials are used until five minutes before they end. */
const MARGIN_MS = 300_000;

function cached({ clock }: CredentialHost, source: CredentialSource): CredentialSource {
  let last: Promise<AwsCredentialIdentity> | undefined;
  return async () => {
    const known = await last?.catch(() => undefined);
    const ends = known?.expiration?.getTime() ?? Infinity;
    if (known !== undefined && ends - MARGIN_MS > clock.now().getTime()) return known;
    last = source();
    return await last;
  };
}

async function tried(
  source: CredentialSource,
  message: (problem: unknown) => string,
): Promise<CredentialSource> {
  try {
    await source();
  } catch (problem) {
    throw new Error(message(problem), { cause: problem });
  }
  return source;
}

async function textFile({ files }: CredentialHost, path: string): Promise<string> {
  return new TextDecoder().decode(await files.readFile(path));
}

async function textFiles(host: CredentialHost, paths: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const path of paths) {
    if ((await host.files.stat(path)) !== undefined) texts.push(await textFile(host, path));
  }
  return texts.join('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
