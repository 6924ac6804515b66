import type { BundledProvider, Provider, ProviderPorts } from '@terrane/provider';
import {
  bool,
  defineProvider,
  int64,
  isUnknown,
  list,
  listBlock,
  map,
  oneOf,
  set,
  setBlock,
  sizeBetween,
  string,
} from '@terrane/provider/sdk';
import { ENDPOINT_NAMES } from './configuration/endpoint-names.ts';
import { openAws } from './clients/open-aws.ts';
import { awsSettings } from './configuration/settings.ts';
import { OFFERS } from './services.ts';

const text = string({ optional: true });
const flag = bool({ optional: true });
const texts = set(string, { optional: true });

const ROLE = {
  duration: text,
  policy: text,
  policy_arns: texts,
  role_arn: text,
  session_name: text,
};

const ATTRIBUTES = {
  access_key: text,
  allowed_account_ids: texts,
  custom_ca_bundle: text,
  ec2_metadata_service_endpoint: text,
  ec2_metadata_service_endpoint_mode: string({
    optional: true,
    validators: [oneOf('IPv4', 'IPv6')],
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
    validators: [oneOf('legacy', 'regional')],
  }),
  s3_use_path_style: flag,
  secret_key: text,
  shared_config_files: list(string, { optional: true }),
  shared_credentials_files: list(string, { optional: true }),
  skip_credentials_validation: flag,
  skip_metadata_api_check: text,
  skip_region_validation: flag,
  skip_requesting_account_id: flag,
  sts_region: text,
  tag_policy_compliance: text,
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
    external_id: text,
    source_identity: text,
    tags: map(string, { optional: true }),
    transitive_tag_keys: texts,
  }),
  assume_role_with_web_identity: listBlock(
    { ...ROLE, web_identity_token: text, web_identity_token_file: text },
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
      if (typeof config.tag_policy_compliance === 'string') {
        warn(
          'Tag policies are not looked at',
          'This provider does not check tags against the policies of the organization: tag_policy_compliance has no effect.',
          'tag_policy_compliance',
        );
      }
      const known = Object.fromEntries(
        Object.entries(config).map(([name, value]) => [name, isUnknown(value) ? null : value]),
      );
      const settings = awsSettings(known, environment);
      return await openAws(settings, { ...ports, http, environment }, log);
    },
    ...OFFERS,
  });
}

/** The provider hashicorp/aws. */
export const provider: BundledProvider = {
  address: 'registry.terraform.io/hashicorp/aws',
  version: '6.25.0',
  create: awsProvider,
};
