// The provider block: identity, endpoint and account of requests, and messages about invalid settings.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Asked, configured, ok, type Place } from './recorded-amazon.ts';

const REGION = { region: 'eu-west-1' };
const KEYS = { ...REGION, access_key: 'own', secret_key: 's' };
const ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'environment', AWS_SECRET_ACCESS_KEY: 's' };
const CONFIG = '/home/tester/.aws/config';
const CREDENTIALS = '/home/tester/.aws/credentials';
const keys = (name: string): string => `aws_access_key_id = ${name}\naws_secret_access_key = s\n`;
const role = (name: string): string => `arn:aws:iam::123456789012:role/${name}`;

/** Requests in short: who asks for what. */
const short = (asked: readonly Asked[]): string[] =>
  asked.map(({ key, operation, form }) => {
    const about = form.get('RoleArn')?.split('/').pop();
    return `${key === '' ? '' : `${key}: `}${operation}${about === undefined ? '' : ` ${about}`}`;
  });

describe('the identity of requests', () => {
  it.each<readonly [string, object, Place, readonly string[]]>([
    [
      'the keys of the configuration, before everything else',
      KEYS,
      { variables: ENVIRONMENT, files: { [CREDENTIALS]: `[default]\n${keys('file')}` } },
      ['own: GetCallerIdentity'],
    ],
    [
      'the profile of the configuration, before the environment',
      { ...REGION, profile: 'p' },
      { variables: ENVIRONMENT, files: { [CREDENTIALS]: `[p]\n${keys('file')}` } },
      ['file: GetCallerIdentity'],
    ],
    [
      'the environment, before the usual profile',
      REGION,
      { variables: ENVIRONMENT, files: { [CREDENTIALS]: `[default]\n${keys('file')}` } },
      ['environment: GetCallerIdentity'],
    ],
    [
      'the profile of the environment',
      REGION,
      { variables: { AWS_PROFILE: 'p' }, files: { [CONFIG]: `[profile p]\n${keys('file')}` } },
      ['file: GetCallerIdentity'],
    ],
    [
      'a file of credentials before that of profiles',
      REGION,
      {
        files: {
          [CONFIG]: `[default]\n${keys('config')}`,
          [CREDENTIALS]: `[default]\n${keys('credentials')}`,
        },
      },
      ['credentials: GetCallerIdentity'],
    ],
    [
      'the later one of several files',
      { ...REGION, shared_credentials_files: ['/a', '~/b'] },
      {
        files: { '/a': `[default]\n${keys('a')}`, '/home/tester/b': `[default]\n${keys('b')}` },
      },
      ['b: GetCallerIdentity'],
    ],
    [
      'a role of a profile, with the credentials of another',
      { ...REGION, profile: 'p' },
      {
        files: {
          [CONFIG]: `[profile p]\nrole_arn = ${role('deploy')}\nsource_profile = base\n`,
          [CREDENTIALS]: `[base]\n${keys('file')}`,
        },
      },
      ['file: AssumeRole deploy', 'deploy: GetCallerIdentity'],
    ],
    [
      'roles of profiles, one after the other',
      { ...REGION, profile: 'p' },
      {
        files: {
          [CONFIG]: `[profile p]\nrole_arn = ${role('deploy')}\nsource_profile = q\n[profile q]\nrole_arn = ${role('jump')}\nsource_profile = base\n[profile base]\n${keys('file')}`,
        },
      },
      ['file: AssumeRole jump', 'jump: AssumeRole deploy', 'deploy: GetCallerIdentity'],
    ],
    [
      'what a program of a profile says',
      { ...REGION, profile: 'p' },
      {
        files: {
          [CONFIG]: `[profile p]\ncredential_process = echo '{"Version": 1, "AccessKeyId": "program", "SecretAccessKey": "s"}'\n`,
        },
      },
      ['program: GetCallerIdentity'],
    ],
    [
      'the role of a token, of a profile',
      { ...REGION, profile: 'p' },
      {
        files: {
          [CONFIG]: `[profile p]\nrole_arn = ${role('web')}\nweb_identity_token_file = ${import.meta.filename}\n`,
        },
      },
      ['AssumeRoleWithWebIdentity web', 'web: GetCallerIdentity'],
    ],
    [
      'the role of a token, of the environment',
      REGION,
      {
        variables: { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: role('web') },
        files: { '/token': 'word' },
      },
      ['AssumeRoleWithWebIdentity web', 'web: GetCallerIdentity'],
    ],
    [
      'the role of a token, of the configuration, with the file of the environment',
      { ...REGION, assume_role_with_web_identity: [{ role_arn: role('web') }] },
      { variables: { AWS_WEB_IDENTITY_TOKEN_FILE: '/token' }, files: { '/token': 'word' } },
      ['AssumeRoleWithWebIdentity web', 'web: GetCallerIdentity'],
    ],
    [
      'roles of the configuration, one after the other',
      { ...KEYS, assume_role: [{ role_arn: role('jump') }, { role_arn: role('deploy') }] },
      {},
      ['own: AssumeRole jump', 'jump: AssumeRole deploy', 'deploy: GetCallerIdentity'],
    ],
  ])('is %s', async (_, settings, place, expected) => {
    const { asked, messages } = await configured({ ...settings }, place);
    expect([messages, short(asked)]).toEqual([[], expected]);
  });

  it('is an assumed role with all settings of its session', async () => {
    const { asked, messages } = await configured({
      ...KEYS,
      assume_role: [
        {
          role_arn: role('deploy'),
          duration: '1h30m',
          external_id: 'partner',
          policy: '{"Version":"2012-10-17"}',
          policy_arns: ['arn:aws:iam::aws:policy/ReadOnlyAccess'],
          session_name: 'ci',
          source_identity: 'someone',
          tags: { team: 'a' },
          transitive_tag_keys: ['team'],
        },
      ],
    });
    expect(messages).toEqual([]);
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: role('deploy'),
      RoleSessionName: 'ci',
      DurationSeconds: '5400',
      ExternalId: 'partner',
      Policy: '{"Version":"2012-10-17"}',
      'PolicyArns.member.1.arn': 'arn:aws:iam::aws:policy/ReadOnlyAccess',
      SourceIdentity: 'someone',
      'Tags.member.1.Key': 'team',
      'Tags.member.1.Value': 'a',
      'TransitiveTagKeys.member.1': 'team',
    });
  });

  it('comes from the container credentials endpoint, with its token', async () => {
    const heads: unknown[] = [];
    const server = createServer((request, response) => {
      heads.push(request.headers.authorization);
      response.end(
        '{"AccessKeyId":"container","SecretAccessKey":"s","Token":"t","Expiration":"2999-01-01T00:00:00Z"}',
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // It listens at an address, not at a file.
    const { port } = server.address() as AddressInfo;
    const variables = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/here`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'word',
    };
    const { asked, messages } = await configured(REGION, { variables });
    server.close();
    server.closeAllConnections();
    expect([messages, heads, short(asked)]).toEqual([
      [],
      ['word'],
      ['container: GetCallerIdentity'],
    ]);
  });

  const MACHINE: Readonly<Record<string, string>> = {
    '/latest/api/token': 'word',
    '/latest/meta-data/iam/security-credentials/': 'role',
    '/latest/meta-data/iam/security-credentials/role':
      '{"AccessKeyId":"machine","SecretAccessKey":"s","Token":"t","Expiration":"2999-01-01T00:00:00Z"}',
    '/latest/meta-data/placement/region': 'eu-north-1',
  };
  const machine: Place['answer'] = ({ url }) => {
    const text = MACHINE[url.pathname];
    return text === undefined ? undefined : { status: 200, text };
  };

  it("falls back to instance metadata, in the region of the instance despite the profile's", async () => {
    const files = { [CONFIG]: '[default]\noutput = json\n' };
    const { asked, messages } = await configured({}, { answer: machine, files });
    const [caller] = asked.slice(-1);
    expect(messages).toEqual([]);
    expect(caller).toMatchObject({ key: 'machine', region: 'eu-north-1' });
    expect(asked[0]?.url.host).toBe('169.254.169.254');
    expect(asked[1]?.sent.headers).toEqual({ 'x-aws-ec2-metadata-token': 'word' });
  });

  it.each([
    [{ ec2_metadata_service_endpoint: 'http://it:1338' }, {}, 'it:1338'],
    [{}, { AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://it:1338' }, 'it:1338'],
    [{ ec2_metadata_service_endpoint_mode: 'ipv6' }, {}, '[fd00:ec2::254]'],
    [{}, { AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: 'IPv6' }, '[fd00:ec2::254]'],
  ])(
    'comes from instance metadata with the endpoint settings %j and %j',
    async (settings, variables, expected) => {
      const { asked } = await configured(
        { ...REGION, ...settings },
        { variables, answer: machine },
      );
      expect(new Set(asked.slice(0, -1).map(({ url }) => url.host))).toEqual(new Set([expected]));
      expect(asked.at(-1)?.key).toBe('machine');
    },
  );

  it('comes from instance metadata without token support', async () => {
    const answer: Place['answer'] = (asked) =>
      asked.url.pathname.endsWith('/token') ? { status: 405, text: '' } : machine(asked);
    const { asked } = await configured(REGION, { answer });
    expect(asked.at(-1)?.key).toBe('machine');
  });
});

describe('the endpoint of requests', () => {
  const hosts = async (settings: object, place: Place = {}): Promise<string[]> =>
    (await configured({ ...KEYS, ...settings }, place)).asked.map(({ url }) => url.host);

  it.each<readonly [object, Place, string]>([
    [{}, {}, 'sts.eu-west-1.amazonaws.com'],
    [{ sts_region: 'us-east-1' }, {}, 'sts.us-east-1.amazonaws.com'],
    [{ region: 'us-east-1', use_fips_endpoint: true }, {}, 'sts-fips.us-east-1.amazonaws.com'],
    [{ use_dualstack_endpoint: true }, {}, 'sts.eu-west-1.api.aws'],
    [{}, { variables: { AWS_USE_DUALSTACK_ENDPOINT: 'true' } }, 'sts.eu-west-1.api.aws'],
    [
      {},
      { files: { [CONFIG]: '[default]\nuse_dualstack_endpoint = true\n' } },
      'sts.eu-west-1.api.aws',
    ],
    [{ endpoints: [{ sts: 'http://it:1' }] }, {}, 'it:1'],
    [{}, { variables: { AWS_ENDPOINT_URL: 'http://it:1' } }, 'it:1'],
    [
      {},
      { variables: { AWS_ENDPOINT_URL_STS: 'http://it:2', AWS_ENDPOINT_URL: 'http://it:1' } },
      'it:2',
    ],
    [
      {},
      {
        files: {
          [CONFIG]:
            '[default]\nservices = here\n[services here]\nsts =\n  endpoint_url = http://it:3\n',
        },
      },
      'it:3',
    ],
    [{ region: 'cn-north-1' }, {}, 'sts.cn-north-1.amazonaws.com.cn'],
  ])('is by %j and %j', async (settings, place, expected) => {
    expect(await hosts(settings, place)).toEqual([expected]);
  });

  it('defaults to the region of the profile', async () => {
    const files = {
      [CONFIG]: '[profile p]\nregion = eu-south-1\n',
      [CREDENTIALS]: `[p]\n${keys('k')}`,
    };
    const { asked } = await configured({ profile: 'p' }, { files });
    expect(asked.map(({ region }) => region)).toEqual(['eu-south-1']);
  });

  it.each([
    [{}, {}, ''],
    [{ https_proxy: 'http://p:1' }, {}, 'http://p:1'],
    [{ http_proxy: 'http://p:1' }, {}, 'http://p:1'],
    [{ http_proxy: 'http://p:1', https_proxy: '' }, {}, ''],
    [{}, { HTTPS_PROXY: 'http://p:2' }, 'http://p:2'],
    [{ https_proxy: '' }, { HTTPS_PROXY: 'http://p:2' }, ''],
    [{ https_proxy: 'http://p:1', no_proxy: 'amazonaws.com' }, {}, ''],
    [{ https_proxy: 'http://p:1' }, { NO_PROXY: '.amazonaws.com' }, ''],
  ])('is by the proxies of %j and %j', async (settings, variables, expected) => {
    const { asked } = await configured({ ...KEYS, ...settings }, { variables });
    expect(asked.map(({ sent }) => sent.proxy)).toEqual([expected]);
  });

  it('is trusted by certificates of a file, or by none', async () => {
    const files = { '/home/tester/ca.pem': 'PEM' };
    const outcome = await configured({ ...KEYS, custom_ca_bundle: '~/ca.pem' }, { files });
    expect(outcome.asked[0]?.sent.tls).toEqual({ ca: 'PEM' });
    const insecure = await configured({ ...KEYS, insecure: true });
    expect(insecure.asked[0]?.sent.tls).toEqual({ verify: false });
  });

  it('receives the user agent', async () => {
    const variables = { TF_APPEND_USER_AGENT: 'Jenkins/i-1 Build/2' };
    const { asked } = await configured(KEYS, { variables });
    const heads = new Map(Object.entries(asked[0]?.sent.headers ?? {}));
    const agent = heads.get('user-agent') ?? '';
    expect(agent).toMatch(/terrane-provider-aws\/6\.25\.0 Jenkins\/i-1 Build\/2/);
  });
});

it.each([
  [{}, {}, 'E'],
  [{ retry_mode: 'adaptive' }, {}, 'F'],
  [{}, { AWS_RETRY_MODE: 'adaptive' }, 'F'],
])('requests are tried again in the way of %j and %j', async (settings, variables, mode) => {
  const { asked } = await configured({ ...KEYS, ...settings }, { variables });
  // The SDK says in letters what it is set up with: E is standard, F adaptive.
  const agent = new Map(Object.entries(asked[0]?.sent.headers ?? {})).get('user-agent') ?? '';
  const [, features = ''] = / m\/(\S+)/.exec(agent) ?? [];
  expect(features.split(',').filter((letter) => /^[DEF]$/.test(letter))).toEqual([mode]);
});

describe('the account ID', () => {
  it.each([
    [{}, ['GetCallerIdentity']],
    [{ skip_credentials_validation: true }, ['GetCallerIdentity']],
    [{ skip_requesting_account_id: true }, ['GetCallerIdentity']],
    [{ skip_credentials_validation: true, skip_requesting_account_id: true }, []],
  ])('is requested with %j', async (settings, expected) => {
    const { asked } = await configured({ ...KEYS, ...settings });
    expect(asked.map(({ operation }) => operation)).toEqual(expected);
  });

  it('is found in other ways where the first does not answer', async () => {
    const settings = { ...KEYS, skip_credentials_validation: true, max_retries: 0 };
    const arn = 'arn:aws:iam::210987654321:role/it';
    const roles = `<IsTruncated>false</IsTruncated><Roles><member><Path>/</Path><RoleName>it</RoleName><RoleId>r</RoleId><Arn>${arn}</Arn><CreateDate>2020-01-01T00:00:00Z</CreateDate></member></Roles>`;
    const { asked, messages } = await configured(
      { ...settings, allowed_account_ids: ['210987654321'] },
      {
        answer: ({ operation }) =>
          operation === 'ListRoles' ? ok('ListRoles', roles) : { status: 404, text: '' },
      },
    );
    expect([messages, short(asked)]).toEqual([
      [],
      ['own: GetCallerIdentity', 'own: GetUser', 'own: ListRoles'],
    ]);
  });

  it('lists the attempts in the error if no service responds', async () => {
    const { messages } = await configured(
      { ...KEYS, skip_credentials_validation: true, max_retries: 0 },
      { answer: () => ({ status: 404, text: '' }) },
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /^error: retrieving AWS account details: .*skip_requesting_account_id = true.*sts:GetCallerIdentity.*iam:GetUser.*iam:ListRoles/s,
    );
  });
});

it.each<readonly [string, object, Place, readonly (string | RegExp)[]]>([
  [
    'an account that is not allowed',
    { ...KEYS, allowed_account_ids: ['210987654321'] },
    {},
    ['error: Invalid account ID: AWS account ID not allowed: 123456789012'],
  ],
  [
    'a forbidden account',
    { ...KEYS, forbidden_account_ids: ['123456789012'] },
    {},
    ['error: Invalid account ID: AWS account ID not allowed: 123456789012'],
  ],
  [
    'accounts of both kinds',
    { ...KEYS, allowed_account_ids: ['1'], forbidden_account_ids: ['2'] },
    {},
    [/forbidden_account_ids.*cannot be specified when.*allowed_account_ids/],
  ],
  ['no region', { access_key: 'a', secret_key: 's' }, {}, [/^error: Missing region: .*AWS_REGION/]],
  ['a region that is none', { ...KEYS, region: 'mars-1' }, {}, [/invalid AWS Region: mars-1/]],
  ['half of the keys', { ...REGION, access_key: 'a' }, {}, [/static credentials are empty/]],
  [
    'no credentials anywhere',
    { ...REGION, skip_metadata_api_check: 'true' },
    {},
    [/^error: No valid credential sources found: .*access disabled to EC2 IMDS/s],
  ],
  [
    'a profile that is not there',
    { ...REGION, profile: 'nobody' },
    {},
    [/^error: failed to get shared config profile, nobody: Neither .*\.aws\/config nor/],
  ],
  [
    'a sign-on that has not been made',
    { ...REGION, profile: 'p' },
    {
      files: {
        [CONFIG]:
          '[profile p]\nsso_start_url = https://it.example/start\nsso_region = eu-west-1\nsso_account_id = 1\nsso_role_name = r\n',
      },
    },
    [/No valid credential sources found: .*SSO session .* invalid.*aws sso login/s],
  ],
  [
    'a sign-on of a session that has not been made',
    { ...REGION, profile: 'p' },
    {
      files: {
        [CONFIG]:
          '[profile p]\nsso_session = it-never-made\nsso_account_id = 1\nsso_role_name = r\n[sso-session it-never-made]\nsso_start_url = https://it.example/start\nsso_region = eu-west-1\n',
      },
    },
    [/No valid credential sources found: .*SSO session .*aws sso login/s],
  ],
  [
    'a sign-on that has not been made, which a role needs',
    { ...REGION, profile: 'q', shared_config_files: ['/files'] },
    {
      files: {
        '/files': `[profile q]\nrole_arn = ${role('r')}\nsource_profile = p\n[profile p]\nsso_start_url = https://it.example/start\nsso_region = eu-west-1\nsso_account_id = 1\nsso_role_name = r\n`,
      },
    },
    [/No valid credential sources found: .*SSO session .* invalid.*aws sso login/s],
  ],
  [
    'a program that fails',
    { ...REGION, profile: 'p' },
    { files: { [CONFIG]: '[profile p]\ncredential_process = false\n' } },
    [/No valid credential sources found: .*Command failed: false/s],
  ],
  [
    'a profile that asks for a second factor',
    { ...REGION, profile: 'p' },
    {
      files: {
        [CONFIG]: `[profile p]\nrole_arn = ${role('r')}\nsource_profile = q\nmfa_serial = m\n[profile q]\n${keys('k')}`,
      },
    },
    [/No valid credential sources found: .*multi-factor authentication/s],
  ],
  [
    'one role without a name, which counts as none',
    { ...KEYS, assume_role: [{ session_name: 'it' }] },
    {},
    [/^warning: Missing required argument: The argument "role_arn" is required/],
  ],
  [
    'one of two roles without a name',
    { ...KEYS, assume_role: [{ role_arn: role('a') }, { session_name: 'it' }] },
    {},
    ['error: Cannot assume IAM Role: IAM Role ARN not set in assume role 2 of 2'],
  ],
  [
    'a role that nobody may assume',
    { ...KEYS, assume_role: [{ role_arn: role('a') }] },
    {
      answer: ({ operation }) =>
        operation === 'AssumeRole'
          ? {
              status: 403,
              text: '<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you</Message></Error><RequestId>r</RequestId></ErrorResponse>',
            }
          : undefined,
    },
    [
      /^error: Cannot assume IAM Role: IAM Role \(.*\/a\) cannot be assumed\..*api error AccessDenied: not you/s,
    ],
  ],
  [
    'a token without a role',
    { ...REGION, assume_role_with_web_identity: [{ web_identity_token: 'word' }] },
    {},
    ['error: Assume Role With Web Identity: Role ARN was not set'],
  ],
  [
    'a token that is written twice',
    {
      ...REGION,
      assume_role_with_web_identity: [
        { role_arn: role('a'), web_identity_token: 'word', web_identity_token_file: 'f' },
      ],
    },
    {},
    [/web_identity_token_file.*cannot be specified when/],
  ],
  [
    'a session that is too short',
    { ...KEYS, assume_role: [{ role_arn: role('a'), duration: '5m' }] },
    {},
    [/must be between 15 minutes \(15m\) and 12 hours \(12h\), inclusive/],
  ],
  [
    'a duration that is none',
    { ...KEYS, assume_role: [{ role_arn: role('a'), duration: '900' }] },
    {},
    [/"900" cannot be parsed as a duration/],
  ],
  [
    'a name of a role that is none',
    { ...KEYS, assume_role: [{ role_arn: 'deploy' }] },
    {},
    [/\(deploy\) is an invalid ARN: arn: invalid prefix/],
  ],
  [
    'a policy that is no JSON',
    { ...KEYS, assume_role: [{ role_arn: role('a'), policy: '{' }] },
    {},
    [/contains invalid JSON/],
  ],
  [
    'a proxy for one kind of requests only',
    { ...KEYS, http_proxy: 'http://me:secret@p:1' },
    {},
    [/^warning: Missing HTTPS Proxy: .*"http:\/\/\*\*\*@p:1"/],
  ],
  [
    'the older address of buckets',
    { ...KEYS, s3_us_east_1_regional_endpoint: 'legacy' },
    {},
    [/^warning: Global S3 Endpoint Support Deprecated: /],
  ],
  [
    'an older variable',
    KEYS,
    { variables: { AWS_METADATA_URL: 'http://it' } },
    [/^warning: Deprecated Environment Variable: .*AWS_EC2_METADATA_SERVICE_ENDPOINT/],
  ],
  [
    'policies for tags, which are not looked at',
    { ...KEYS, tag_policy_compliance: 'warning' },
    {},
    [/^warning: Tag policies are not looked at: /],
  ],
  ['no policies for tags', { ...KEYS, tag_policy_compliance: 'disabled' }, {}, []],
  [
    'an account that is not known',
    { ...KEYS, skip_credentials_validation: true, skip_requesting_account_id: true },
    {},
    [/^warning: AWS account ID not found for provider: /],
  ],
  [
    'certificates that are not there',
    { ...KEYS, custom_ca_bundle: '/no/ca.pem' },
    {},
    [/^error: reading custom CA bundle: .*\/no\/ca\.pem/],
  ],
  [
    'a state of three that is none',
    { ...KEYS, skip_metadata_api_check: 'maybe' },
    {},
    [/cannot parse "maybe" as boolean/],
  ],
])('reports %s to users', async (_, settings, place, expected) => {
  const { messages } = await configured({ ...settings }, place);
  expect(messages).toHaveLength(expected.length);
  for (const [index, text] of expected.entries()) {
    if (typeof text === 'string') expect(messages[index]).toBe(text);
    else expect(messages[index]).toMatch(text);
  }
});
