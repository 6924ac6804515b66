import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { isAllowedAccount } from './connection.ts';
import { type AwsArguments, readConnection } from './read-connection.ts';

/** Arguments as an object has them. */
function written(object: Readonly<Record<string, unknown>>): AwsArguments {
  const of = (name: string, type: string): unknown =>
    typeof object[name] === type ? object[name] : undefined;
  return {
    text: (name) => of(name, 'string') as string | undefined, // `of` checks it
    flag: (name) => of(name, 'boolean') as boolean | undefined, // `of` checks it
    texts: (name) => (Array.isArray(object[name]) ? object[name].map(String) : undefined),
    map: (name) => Object.entries(object[name] ?? {}).map(([key, value]) => [key, String(value)]),
    blocks: (name) => {
      const block = object[name];
      // Tests configure objects there.
      return typeof block === 'object' && block !== null ? [written({ ...block })] : [];
    },
  };
}

function read(
  object: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>> = {},
): ReturnType<typeof readConnection> {
  const { environment } = memoryHost({ variables });
  return readConnection(written(object), environment, {
    configFile: ['FIRST_FILE', 'SECOND_FILE'],
    metadataEndpoint: ['FIRST_METADATA', 'SECOND_METADATA'],
  });
}

it('has no unconfigured settings', () => {
  expect(read({})).toEqual({
    configFiles: [],
    credentialsFiles: [],
    assumeRoles: [],
    metadataDisabled: false,
    validateCredentials: true,
    requestAccountId: true,
    allowedAccounts: [],
    forbiddenAccounts: [],
    fips: false,
    dualstack: false,
    insecure: false,
  });
});

it.each([
  [
    'a file of profiles',
    { FIRST_FILE: '', SECOND_FILE: '~/b' },
    { configFiles: ['/home/tester/b'] },
  ],
  ['the first of two variables', { FIRST_FILE: 'a', SECOND_FILE: 'b' }, { configFiles: ['a'] }],
  ['a file of keys', { AWS_SHARED_CREDENTIALS_FILE: 'c' }, { credentialsFiles: ['c'] }],
  ['certificates', { AWS_CA_BUNDLE: '$DIR/${NAME}', DIR: '/ca', NAME: 'x' }, { caFile: '/ca/x' }],
  ['other endpoints', { AWS_USE_FIPS_ENDPOINT: 'TRUE' }, { fips: true }],
  ['no metadata', { AWS_EC2_METADATA_DISABLED: 'true' }, { metadataDisabled: true }],
  ['where metadata are', { SECOND_METADATA: 'http://m' }, { metadataEndpoint: 'http://m' }],
])('takes %s from the environment', (_, variables, expected) => {
  expect(read({}, variables)).toMatchObject(expected);
});

it('prefers the configuration to the environment', () => {
  const variables = { AWS_USE_DUALSTACK_ENDPOINT: 'true', AWS_SHARED_CREDENTIALS_FILE: 'c' };
  const args = { use_dualstack_endpoint: false, shared_credentials_files: ['~', 'd'] };
  expect(read(args, variables)).toMatchObject({
    dualstack: false,
    credentialsFiles: ['/home/tester', 'd'],
  });
});

it.each([
  [
    { access_key: 'a', secret_key: 's' },
    { accessKeyId: 'a', secretAccessKey: 's' },
  ],
  [{ token: 't' }, { accessKeyId: '', secretAccessKey: '', sessionToken: 't' }],
  [{ access_key: '', secret_key: '', token: '' }, undefined],
])('has the keys of %j', (args, keys) => {
  expect(read(args).keys).toEqual(keys);
});

it('falls back to the profile', () => {
  const { environment } = memoryHost({ variables: { AWS_USE_DUALSTACK_ENDPOINT: 'false' } });
  const variables = { configFile: [], metadataEndpoint: [] };
  const profile = { use_fips_endpoint: 'true', use_dualstack_endpoint: 'true' };
  const connection = readConnection(written({}), environment, variables, profile);
  expect(connection).toMatchObject({ fips: true, dualstack: false });
});

it.each([
  [{}, { AWS_WEB_IDENTITY_TOKEN_FILE: '~/e' }, { tokenFile: '/home/tester/e' }],
  [{ web_identity_token_file: 'f' }, { AWS_WEB_IDENTITY_TOKEN_FILE: 'e' }, { tokenFile: 'f' }],
  [{ web_identity_token: 't' }, { AWS_WEB_IDENTITY_TOKEN_FILE: 'e' }, { token: 't' }],
  [{}, {}, {}],
])('has the token of %j, with the environment %j', (args, variables, expected) => {
  const role = { assume_role_with_web_identity: { role_arn: 'web', ...args } };
  expect(read(role, variables).webIdentity).toEqual({ arn: 'web', policyArns: [], ...expected });
});

it('has the roles to be assumed', () => {
  const args = {
    assume_role: {
      role_arn: 'arn',
      duration: '1h30m0.5s',
      session_name: '',
      policy: ' {} ',
      external_id: 'id',
      tags: { a: 'b' },
    },
    assume_role_with_web_identity: { role_arn: 'web', web_identity_token_file: '~/token' },
  };
  expect(read(args)).toMatchObject({
    assumeRoles: [
      {
        arn: 'arn',
        seconds: 5400,
        policy: '{}',
        policyArns: [],
        externalId: 'id',
        tags: [['a', 'b']],
        transitiveTagKeys: [],
      },
    ],
    webIdentity: { arn: 'web', policyArns: [], tokenFile: '/home/tester/token' },
  });
});

it.each([
  ['any', [], [], true],
  ['one that is listed', ['1', '2'], [], true],
  ['one that is not listed', ['2'], [], false],
  ['a forbidden one', [], ['1'], false],
])('checks the allowed and forbidden accounts: %s', (_, allowed, forbidden, expected) => {
  const lists = { allowedAccounts: allowed, forbiddenAccounts: forbidden };
  expect(isAllowedAccount('1', lists)).toBe(expected);
});
