import type { Http } from '@terrane/host';
import { ManualClock, memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import type { AwsConnection } from './connection.ts';
import type { CredentialLibraries, CredentialPorts } from './credential-ports.ts';
import { credentialSource } from './credential-source.ts';

const CONNECTION: AwsConnection = {
  configFiles: [],
  credentialsFiles: [],
  assumeRoles: [],
  endpoints: {},
  metadataDisabled: true,
  validateCredentials: false,
  requestAccountId: false,
  allowedAccounts: [],
  forbiddenAccounts: [],
  fips: false,
  dualstack: false,
  insecure: false,
};

/** A library whose credentials contain their source. */
function library(
  profiles: Readonly<Record<string, object>>,
  ends: () => Date | undefined,
): CredentialLibraries {
  const keys = (accessKeyId: string): object => {
    const expiration = ends();
    return { accessKeyId, secretAccessKey: 's', ...(expiration !== undefined && { expiration }) };
  };
  const fake = {
    fromHttp: (options: object) => async () => keys(`http ${Object.values(options).join(' ')}`),
    fromIni:
      ({ profile }: { profile: string }) =>
      async () =>
        keys(`profile ${profile}`),
    fromWebToken: (options: { roleArn: string; webIdentityToken: string }) => async () =>
      keys(`web ${options.roleArn} ${options.webIdentityToken}`),
    fromTemporaryCredentials:
      (options: {
        masterCredentials: () => Promise<{ accessKeyId: string }>;
        params: { RoleArn: string };
      }) =>
      async () =>
        keys(`${(await options.masterCredentials()).accessKeyId} > ${options.params.RoleArn}`),
    externalDataInterceptor: { interceptFile: () => undefined },
    loadSharedConfigFiles: async () => ({ configFile: profiles, credentialsFile: {} }),
  };
  // It implements only the called parts of the much larger SDK functions.
  return fake as unknown as CredentialLibraries;
}

interface Place {
  readonly variables?: Readonly<Record<string, string>>;
  readonly connection?: Partial<AwsConnection>;
  /** content of the shared files, by profile */
  readonly profiles?: Readonly<Record<string, object>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly http?: Pick<Http, 'request'>;
  readonly ends?: () => Date | undefined;
  readonly clock?: ManualClock;
}

async function portsOf(place: Place): Promise<CredentialPorts> {
  const host = memoryHost({
    variables: place.variables ?? {},
    ...(place.clock !== undefined && { clock: place.clock }),
  });
  for (const [path, text] of Object.entries(place.files ?? {})) {
    await host.files.writeFile(path, text);
  }
  return {
    aws: library(place.profiles ?? {}, place.ends ?? (() => undefined)),
    host: { ...host, ...(place.http !== undefined && { http: place.http }) },
    connection: { ...CONNECTION, ...place.connection },
    region: 'eu-west-1',
    shared: {
      requestHandler: {
        handle: () => Promise.reject(new Error('nothing is asked')),
        updateHttpClientConfig: () => undefined,
        httpHandlerConfigs: () => ({}),
      },
      maxAttempts: 1,
      useFipsEndpoint: false,
      useDualstackEndpoint: false,
      customUserAgent: [],
    },
    helpUrl: 'https://help.example',
  };
}

const KEYS = { accessKeyId: 'own', secretAccessKey: 's' };
const ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'environment', AWS_SECRET_ACCESS_KEY: 's' };
const TOKEN = { AWS_WEB_IDENTITY_TOKEN_FILE: '/project/token', AWS_ROLE_ARN: 'arn' };
const CONTAINER = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/here' };
const EVERYWHERE = { ...ENVIRONMENT, ...TOKEN, ...CONTAINER, AWS_PROFILE: 'named' };
const HAS_KEYS = { aws_access_key_id: 'a', aws_secret_access_key: 's' };
const PROFILES = { default: HAS_KEYS, named: HAS_KEYS, asked: HAS_KEYS };
const ONLY_REGIONS = { default: { region: 'a' }, named: { region: 'b' }, asked: { region: 'c' } };
const role = (arn: string): AwsConnection['assumeRoles'][number] => ({
  arn,
  policyArns: [],
  tags: [],
  transitiveTagKeys: [],
});

it.each<readonly [string, Place, string]>([
  ['arguments', { variables: EVERYWHERE, connection: { keys: KEYS, profile: 'asked' } }, 'own'],
  [
    'the token that is written',
    {
      variables: EVERYWHERE,
      connection: { webIdentity: { arn: 'arn', policyArns: [], token: 'word' } },
    },
    'web arn word',
  ],
  [
    'the profile that is written',
    { variables: EVERYWHERE, profiles: PROFILES, connection: { profile: 'asked' } },
    'profile asked',
  ],
  ['keys of the environment', { variables: EVERYWHERE, profiles: PROFILES }, 'environment'],
  [
    'the token of the environment',
    { variables: { ...TOKEN, AWS_PROFILE: 'named' }, files: { '/project/token': 'word' } },
    'web arn word',
  ],
  [
    'the profile of the environment',
    { variables: { ...CONTAINER, AWS_PROFILE: 'named' }, profiles: PROFILES },
    'profile named',
  ],
  ['the usual profile', { variables: CONTAINER, profiles: PROFILES }, 'profile default'],
  ['the container', { variables: CONTAINER }, 'http /here'],
  [
    'the container, where the usual profile has none',
    { variables: CONTAINER, profiles: ONLY_REGIONS },
    'http /here',
  ],
  [
    'the container, where the profile of the environment has none',
    { variables: { ...CONTAINER, AWS_PROFILE: 'named' }, profiles: ONLY_REGIONS },
    'http /here',
  ],
  [
    'the container, where the profile that is written has none, and not those of the environment',
    { variables: EVERYWHERE, profiles: ONLY_REGIONS, connection: { profile: 'asked' } },
    'http /here',
  ],
  [
    'roles, one after the other',
    { variables: ENVIRONMENT, connection: { assumeRoles: [role('a'), role('b')] } },
    'environment > a > b',
  ],
])('finds credentials of %s', async (_, place, expected) => {
  const source = await credentialSource(await portsOf(place));
  expect((await source()).accessKeyId).toBe(expected);
});

it('requests instance credentials last, with a token', async () => {
  const asked: string[] = [];
  const answers: Readonly<Record<string, string>> = {
    'PUT /latest/api/token': 'word',
    'GET /latest/meta-data/iam/security-credentials/': 'role\n',
    'GET /latest/meta-data/iam/security-credentials/role':
      '{"AccessKeyId":"machine","SecretAccessKey":"s","Token":"t","Expiration":"2026-01-01T00:00:00Z"}',
  };
  const http: Pick<Http, 'request'> = {
    request(url, { method = 'GET', headers = {} } = {}) {
      const place = `${method} ${new URL(url).pathname}`;
      asked.push(`${new URL(url).host} ${headers['x-aws-ec2-metadata-token'] ?? ''}`.trim());
      const text = answers[place];
      return Promise.resolve({
        url,
        status: text === undefined ? 404 : 200,
        headers: {},
        body: (async function* () {
          yield new TextEncoder().encode(text ?? '');
        })(),
      });
    },
  };
  const source = await credentialSource(
    await portsOf({ http, connection: { metadataDisabled: false, metadataMode: 'IPv6' } }),
  );
  expect(await source()).toEqual({
    accessKeyId: 'machine',
    secretAccessKey: 's',
    sessionToken: 't',
    expiration: new Date('2026-01-01T00:00:00Z'),
  });
  expect(asked.slice(0, 3)).toEqual([
    '[fd00:ec2::254]',
    '[fd00:ec2::254] word',
    '[fd00:ec2::254] word',
  ]);
});

it.each<readonly [string, Place, string]>([
  [
    'keys are empty',
    { connection: { keys: { ...KEYS, secretAccessKey: '' } } },
    'retrieving credentials: static credentials are empty',
  ],
  [
    'there is no such profile',
    { connection: { profile: 'nobody' } },
    'Error: failed to get shared config profile, nobody',
  ],
  ['there are none', {}, 'Please see https://help.example'],
  [
    'there is no such profile, while the environment has keys',
    { variables: ENVIRONMENT, connection: { profile: 'nobody' } },
    'AWS Error: failed to get shared config profile, nobody',
  ],
  [
    'a role to be assumed has no name',
    { variables: ENVIRONMENT, connection: { assumeRoles: [role('a'), role('')] } },
    'IAM Role ARN not set in assume role 2 of 2',
  ],
  [
    'a role for a token has no name',
    { connection: { webIdentity: { arn: '', policyArns: [], token: 'word' } } },
    'Role ARN was not set',
  ],
  [
    'there is no token for a role',
    { connection: { webIdentity: { arn: 'arn', policyArns: [] } } },
    'One of WebIdentityToken, WebIdentityTokenFile must be set',
  ],
  [
    'a token cannot be read',
    { connection: { webIdentity: { arn: 'arn', policyArns: [], tokenFile: '/none' } } },
    'IAM Role (arn) cannot be assumed with web identity token.',
  ],
])('reports the error if %s', async (_, place, expected) => {
  await expect(credentialSource(await portsOf(place))).rejects.toThrow(expected);
});

it('renews credentials five minutes before they expire', async () => {
  let asked = 0;
  const clock = new ManualClock();
  const ends = (): Date => {
    asked++;
    return new Date(clock.now().getTime() + 600_000);
  };
  const source = await credentialSource(await portsOf({ profiles: PROFILES, ends, clock }));
  await clock.advance(299_999);
  await source();
  expect(asked).toBe(1);
  await clock.advance(1);
  await source();
  expect(asked).toBe(2);
});
