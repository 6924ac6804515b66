import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { type AwsSettings, awsSettings, type ProfileSettings } from './settings.ts';

function read(
  written: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>> = {},
  profile?: ProfileSettings,
): AwsSettings {
  return awsSettings(written, memoryHost({ variables }).environment, profile);
}

const profile = (
  section: Readonly<Record<string, string>>,
  services: Readonly<Record<string, string>> = {},
): ProfileSettings => ({ section, services });

/** The same setting at three places, and what it is where all, the last two and the last say it. */
const PLACES: readonly (readonly [
  string,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, string>>,
  Readonly<Record<string, string>>,
  readonly [Partial<AwsSettings>, Partial<AwsSettings>, Partial<AwsSettings>],
])[] = [
  [
    'region',
    { region: 'a' },
    { AWS_REGION: 'b', AWS_DEFAULT_REGION: 'c' },
    { region: 'd' },
    [{ region: 'a' }, { region: 'b' }, { region: 'd' }],
  ],
  [
    'max_retries',
    { max_retries: 7 },
    { AWS_MAX_ATTEMPTS: '4' },
    { max_attempts: '2' },
    [{ maxRetries: 7 }, { maxRetries: 3 }, { maxRetries: 1 }],
  ],
  [
    'retry_mode',
    { retry_mode: 'standard' },
    { AWS_RETRY_MODE: 'adaptive' },
    { retry_mode: 'adaptive' },
    [{ retryMode: 'standard' }, { retryMode: 'adaptive' }, { retryMode: 'adaptive' }],
  ],
  [
    'use_fips_endpoint',
    { use_fips_endpoint: false },
    { AWS_USE_FIPS_ENDPOINT: 'true' },
    { use_fips_endpoint: 'true' },
    [{ fips: false }, { fips: true }, { fips: true }],
  ],
  [
    'use_dualstack_endpoint',
    { use_dualstack_endpoint: true },
    { AWS_USE_DUALSTACK_ENDPOINT: 'false' },
    { use_dualstack_endpoint: 'true' },
    [{ dualstack: true }, { dualstack: false }, { dualstack: true }],
  ],
  [
    's3_us_east_1_regional_endpoint',
    { s3_us_east_1_regional_endpoint: 'regional' },
    { AWS_S3_US_EAST_1_REGIONAL_ENDPOINT: 'legacy' },
    { s3_us_east_1_regional_endpoint: 'legacy' },
    [{ s3GlobalEndpoint: false }, { s3GlobalEndpoint: true }, { s3GlobalEndpoint: true }],
  ],
];

it.each(PLACES)(
  '%s comes from the first source that sets it',
  (_, written, variables, section, is) => {
    expect(read(written, variables, profile(section))).toMatchObject(is[0]);
    expect(read({}, variables, profile(section))).toMatchObject(is[1]);
    expect(read({}, {}, profile(section))).toMatchObject(is[2]);
  },
);

it('is 25 retries without a token limit by default', () => {
  expect(read({})).toMatchObject({ maxRetries: 25, retryMode: 'standard' });
  expect(read({})).not.toHaveProperty('retryCapacity');
  expect(read({ token_bucket_rate_limiter_capacity: 0 })).not.toHaveProperty('retryCapacity');
  expect(read({ token_bucket_rate_limiter_capacity: 9 })).toMatchObject({ retryCapacity: 9 });
});

it.each([
  [{ AWS_RETRY_MODE: 'legacy' }, 'unknown RetryMode, legacy'],
  [{ AWS_MAX_ATTEMPTS: 'many' }, 'AWS_MAX_ATTEMPTS, or max_attempts of the profile, is "many"'],
  [
    { TF_AWS_TAG_POLICY_COMPLIANCE: 'no' },
    'TF_AWS_TAG_POLICY_COMPLIANCE must be one of "error", "warning", or "disabled"',
  ],
])('reports an invalid environment variable: %j', (variables, expected) => {
  expect(() => read({}, variables)).toThrow(expected);
});

describe('the address of a service', () => {
  const written = { endpoints: [{ s3: 'http://written' }] };
  const variables = { AWS_ENDPOINT_URL_S3: 'http://own', AWS_ENDPOINT_URL: 'http://all' };
  const files = profile(
    { endpoint_url: 'http://files' },
    { 's3.endpoint_url': 'http://s3-in-files' },
  );
  const { AWS_ENDPOINT_URL } = variables;

  it.each([
    ['the argument', written, variables, files, 'http://written'],
    ['its variable', {}, variables, files, 'http://own'],
    ['the variable for all', {}, { AWS_ENDPOINT_URL }, files, 'http://all'],
    ['its section of the profile', {}, {}, files, 'http://s3-in-files'],
    ['the profile', {}, {}, profile(files.section), 'http://files'],
    ['nowhere', {}, {}, profile({}), undefined],
    [
      'the argument alone',
      written,
      { ...variables, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
      files,
      'http://written',
    ],
    [
      'nowhere, where those outside are ignored',
      {},
      { ...variables, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
      files,
      undefined,
    ],
    [
      'nowhere, where the profile ignores those outside',
      {},
      variables,
      profile({ ...files.section, ignore_configured_endpoint_urls: 'true' }, files.services),
      undefined,
    ],
  ])('is that of %s', (_, configured, environment, profileSettings, expected) => {
    expect(read(configured, environment, profileSettings).endpoints['s3']).toBe(expected);
  });

  it.each([
    [{ AWS_ENDPOINT_URL_APPLICATION_AUTO_SCALING: 'http://it' }, 'appautoscaling'],
    [{ AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: 'http://it' }, 'logs'],
    [{ AWS_ENDPOINT_URL_ROUTE_53: 'http://it' }, 'route53'],
    [{ AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://it' }, 'secretsmanager'],
    [{ AWS_ENDPOINT_URL_SSO: 'http://it' }, 'sso'],
  ])("has the SDK's name in %j", (environment, service) => {
    expect(read({}, environment).endpoints).toEqual({ [service]: 'http://it' });
  });

  it('may be written under older names', () => {
    const older = {
      endpoints: [{ msk: 'http://a', s3api: 'http://b', cloudwatchlogs: 'http://c' }],
    };
    const expected = { kafka: 'http://a', s3: 'http://b', logs: 'http://c' };
    expect(read(older).endpoints).toEqual(expected);
  });
});

it.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['', false],
  [null, false],
])('takes skip_metadata_api_check = %j as %s', (written, expected) => {
  expect(read({ skip_metadata_api_check: written }).metadataDisabled).toBe(expected);
});

it('uses instance metadata if configured, although the environment disables it', () => {
  const variables = { AWS_EC2_METADATA_DISABLED: 'true' };
  expect(read({}, variables).metadataDisabled).toBe(true);
  expect(read({ skip_metadata_api_check: 'false' }, variables).metadataDisabled).toBe(false);
});

it('has no proxy where an empty one is written', () => {
  expect(read({ http_proxy: '', https_proxy: '' })).toMatchObject({
    httpProxy: '',
    httpsProxy: '',
  });
  expect(read({})).not.toHaveProperty('httpProxy');
});

it('adds default and ignored tags from the environment', () => {
  const variables = {
    TF_AWS_DEFAULT_TAGS_team: 'a',
    TF_AWS_DEFAULT_TAGS_stage: 'b',
    TF_AWS_IGNORE_TAGS_KEYS: 'x, y,',
    TF_AWS_IGNORE_TAGS_KEY_PREFIXES: 'p:',
  };
  const written = {
    default_tags: [{ tags: { stage: 'c' } }],
    ignore_tags: [{ keys: ['k'], key_prefixes: null }],
  };
  expect(read(written, variables)).toMatchObject({
    defaultTags: { team: 'a', stage: 'c' },
    ignoredTags: { keys: ['k', 'x', 'y'], keyPrefixes: ['p:'] },
  });
});
