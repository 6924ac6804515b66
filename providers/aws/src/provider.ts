import type { BundledProvider, Provider, ProviderPorts } from '@terrane/provider';
import {
  bool,
  conflictsWith,
  defineProvider,
  int64,
  isUnknown,
  lengthBetween,
  list,
  listBlock,
  map,
  matches,
  oneOf,
  set,
  setBlock,
  sizeBetween,
  string,
} from '@terrane/provider/sdk';
import { ENDPOINT_NAMES } from './configuration/endpoint-names.ts';
import { openAws } from './clients/open-aws.ts';
import { isArn } from './resource/text-forms.ts';
import { each } from './resource/validators.ts';
import { profileSettings } from './configuration/profile-settings.ts';
import { type AwsSettings, awsSettings } from './configuration/settings.ts';
import {
  json,
  nullableBool,
  oneOfIgnoringCase,
  sessionDuration,
} from './configuration/validators.ts';
import { configurationWarnings } from './configuration/warnings.ts';
import { OFFERS } from './services.ts';

const text = string({ optional: true });
const flag = bool({ optional: true });
const texts = set(string, { optional: true });

const arnText = string({ optional: true, validators: [isArn] });
const sessionText = string({
  optional: true,
  validators: [
    lengthBetween(2, 64),
    matches(/^[\w+=,.@-]*$/, 'must only include letters, numbers and the characters +=,.@-_'),
  ],
});

const ROLE = {
  duration: string({ optional: true, validators: [sessionDuration] }),
  policy: string({ optional: true, validators: [json] }),
  policy_arns: set(string, { optional: true, validators: [each(isArn)] }),
  role_arn: arnText,
  session_name: sessionText,
};

const ATTRIBUTES = {
  access_key: text,
  allowed_account_ids: set(string, {
    optional: true,
    validators: [conflictsWith('forbidden_account_ids')],
  }),
  custom_ca_bundle: text,
  ec2_metadata_service_endpoint: text,
  ec2_metadata_service_endpoint_mode: string({
    optional: true,
    validators: [oneOfIgnoringCase('IPv4', 'IPv6')],
  }),
  forbidden_account_ids: texts,
  http_proxy: text,
  https_proxy: text,
  insecure: flag,
  max_retries: int64({ optional: true }),
  no_proxy: text,
  profile: text,
  region: text,
  retry_mode: string({ optional: true, validators: [oneOf('standard', 'adaptive')] }),
  s3_us_east_1_regional_endpoint: string({
    optional: true,
    validators: [oneOfIgnoringCase('legacy', 'regional')],
  }),
  s3_use_path_style: flag,
  secret_key: text,
  shared_config_files: list(string, { optional: true }),
  shared_credentials_files: list(string, { optional: true }),
  skip_credentials_validation: flag,
  skip_metadata_api_check: string({ optional: true, validators: [nullableBool] }),
  skip_region_validation: flag,
  skip_requesting_account_id: flag,
  sts_region: text,
  tag_policy_compliance: string({
    optional: true,
    validators: [oneOf('error', 'warning', 'disabled')],
  }),
  token: text,
  token_bucket_rate_limiter_capacity: int64({ optional: true }),
  use_dualstack_endpoint: flag,
  use_fips_endpoint: flag,
};

// Checked by the provider: its published schema has no limit.
const AT_MOST_ONE = { validators: [sizeBetween(0, 1)] };

const BLOCKS = {
  assume_role: listBlock({
    ...ROLE,
    external_id: string({
      optional: true,
      validators: [
        lengthBetween(2, 1224),
        matches(
          /^[\w+=,.@:/-]*$/,
          'must only include letters, numbers and the characters +=,.@:/-_',
        ),
      ],
    }),
    source_identity: sessionText,
    tags: map(string, { optional: true }),
    transitive_tag_keys: texts,
  }),
  assume_role_with_web_identity: listBlock(
    {
      ...ROLE,
      web_identity_token: string({
        optional: true,
        validators: [lengthBetween(4, 20_000), conflictsWith('web_identity_token_file')],
      }),
      web_identity_token_file: text,
    },
    AT_MOST_ONE,
  ),
  default_tags: listBlock({ tags: map(string, { optional: true }) }, AT_MOST_ONE),
  endpoints: setBlock(Object.fromEntries(ENDPOINT_NAMES.map((name) => [name, text]))),
  ignore_tags: listBlock({ keys: texts, key_prefixes: texts }, AT_MOST_ONE),
};

/** The provider for AWS, in a world. */
export function awsProvider(ports: ProviderPorts): Provider {
  return defineProvider({
    config: { attributes: ATTRIBUTES, blocks: BLOCKS },
    async configure({ config, log, warn }) {
      const { http, environment } = ports;
      if (http === undefined || environment === undefined) {
        throw new TypeError('the provider for AWS needs HTTP and the environment');
      }
      const known = Object.fromEntries(
        Object.entries(config).map(([name, value]) => [name, isUnknown(value) ? null : value]),
      );
      const host = { ...ports, http, environment };
      const profile = await profileSettings(awsSettings(known, environment), host);
      const settings = withoutEmptyRole(awsSettings(known, environment, profile), warn);
      for (const { summary, detail, at } of configurationWarnings(settings, environment)) {
        warn(summary, detail, at);
      }
      const aws = await openAws(settings, host, log);
      if (aws.accountId === '') {
        warn(
          'AWS account ID not found for provider',
          'See https://registry.terraform.io/providers/hashicorp/aws/latest/docs#skip_requesting_account_id for implications.',
        );
      }
      return aws;
    },
    ...OFFERS,
  });
}

/** One block that names no role is as good as none, as it always was. */
function withoutEmptyRole(
  settings: AwsSettings,
  warn: (summary: string, detail: string, at: 'assume_role') => void,
): AwsSettings {
  const [first, ...others] = settings.assumeRoles;
  if (first?.arn !== '' || others.length > 0) return settings;
  warn(
    'Missing required argument',
    'The argument "role_arn" is required, but no definition was found.\n\nThis will be an error in a future release.',
    'assume_role',
  );
  return { ...settings, assumeRoles: [] };
}

/** The provider hashicorp/aws. */
export const provider: BundledProvider = {
  address: 'registry.terraform.io/hashicorp/aws',
  version: '6.25.0',
  create: awsProvider,
};
