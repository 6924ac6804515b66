import { BOOL, mapType, NUMBER, setType, STRING, type Type } from '@terrane/cty';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';

const STRINGS = setType(STRING);

const optional = (type: Type, description: string, extra?: Partial<AttributeSchema>) => ({
  type,
  optional: true,
  description,
  ...extra,
});
const text = (description: string): AttributeSchema => optional(STRING, description);
const flag = (description: string): AttributeSchema => optional(BOOL, description);
const texts = (description: string): AttributeSchema => optional(STRINGS, description);
const deprecated = (description: string): AttributeSchema =>
  optional(STRING, description, { deprecated: true });
const single = (attributes: Readonly<Record<string, AttributeSchema>>): AttributeSchema => ({
  nested: { nesting: 'single', attributes },
  optional: true,
});

const ROLE = {
  role_arn: text('The role to be assumed.'),
  duration: text(
    'The duration, between 15 minutes and 12 hours, of the role session. Valid time units are ns, us (or µs), ms, s, h, or m.',
  ),
  policy: text(
    'IAM Policy JSON describing further restricting permissions for the IAM Role being assumed.',
  ),
  policy_arns: texts(
    'Amazon Resource Names (ARNs) of IAM Policies describing further restricting permissions for the IAM Role being assumed.',
  ),
  session_name: text('The session name to use when assuming the role.'),
} as const;

/**
 * The schema of Terraform's `s3` backend. No argument is required here: the environment and `-backend-config` may
 * supply them.
 */
export const S3_SCHEMA: BlockSchema = {
  attributes: {
    bucket: text('The name of the S3 bucket'),
    key: text('The path to the state file inside the bucket'),
    region: text('AWS region of the S3 Bucket and DynamoDB Table (if used).'),
    allowed_account_ids: texts('List of allowed AWS account IDs.'),
    dynamodb_endpoint: deprecated('A custom endpoint for the DynamoDB API'),
    ec2_metadata_service_endpoint: text(
      'Address of the EC2 metadata service (IMDS) endpoint to use.',
    ),
    ec2_metadata_service_endpoint_mode: text(
      'Mode to use in communicating with the metadata service.',
    ),
    endpoint: deprecated('A custom endpoint for the S3 API'),
    endpoints: single({
      dynamodb: deprecated('A custom endpoint for the DynamoDB API'),
      iam: text('A custom endpoint for the IAM API'),
      s3: text('A custom endpoint for the S3 API'),
      sso: text('A custom endpoint for the IAM Identity Center (formerly known as SSO) API'),
      sts: text('A custom endpoint for the STS API'),
    }),
    forbidden_account_ids: texts('List of forbidden AWS account IDs.'),
    iam_endpoint: deprecated('A custom endpoint for the IAM API'),
    sts_endpoint: deprecated('A custom endpoint for the STS API'),
    sts_region: text('AWS region for STS.'),
    encrypt: flag('Whether to enable server side encryption of the state file'),
    acl: text('Canned ACL to be applied to the state file'),
    access_key: text('AWS access key'),
    secret_key: text('AWS secret key'),
    kms_key_id: text('The ARN of a KMS Key to use for encrypting the state'),
    dynamodb_table: deprecated('DynamoDB table for state locking and consistency'),
    // These two as in OpenTofu 1.10.
    state_tags: optional(mapType(STRING), 'Tags of the objects that states are.'),
    lock_tags: optional(mapType(STRING), 'Tags of the objects that locks are.'),
    use_lockfile: flag('Whether to use a lockfile for locking the state file.'),
    profile: text('AWS profile name'),
    retry_mode: text('Specifies how retries are attempted.'),
    shared_config_files: texts('List of paths to shared config files'),
    shared_credentials_file: deprecated('Path to a shared credentials file'),
    shared_credentials_files: texts('List of paths to shared credentials files'),
    token: text('MFA token'),
    skip_credentials_validation: flag(
      'Skip the credentials validation via STS API. Useful for testing and for AWS API implementations that do not have STS available.',
    ),
    skip_requesting_account_id: flag(
      'Skip the requesting account ID. Useful for AWS API implementations that do not have the IAM, STS API, or metadata API.',
    ),
    skip_metadata_api_check: flag('Skip the AWS Metadata API check.'),
    skip_region_validation: flag('Skip static validation of region name.'),
    skip_s3_checksum: flag(
      'Do not include checksum when uploading S3 Objects. Useful for some S3-Compatible APIs.',
    ),
    sse_customer_key: optional(
      STRING,
      'The base64-encoded encryption key to use for server-side encryption with customer-provided keys (SSE-C).',
      { sensitive: true },
    ),
    workspace_key_prefix: text(
      'The prefix applied to the non-default state path inside the bucket.',
    ),
    force_path_style: optional(BOOL, 'Enable path-style S3 URLs.', { deprecated: true }),
    use_path_style: flag('Enable path-style S3 URLs.'),
    max_retries: optional(
      NUMBER,
      'The maximum number of times an AWS API request is retried on retryable failure.',
    ),
    // Role arguments outside of a block are OpenTofu's; Terraform has removed them.
    role_arn: deprecated('The role to be assumed. Use assume_role.role_arn instead.'),
    session_name: deprecated('The name of the session. Use assume_role.session_name instead.'),
    external_id: deprecated('The external ID. Use assume_role.external_id instead.'),
    assume_role_duration_seconds: optional(
      NUMBER,
      'Seconds that the session lasts. Use assume_role.duration instead.',
      { deprecated: true },
    ),
    assume_role_policy: deprecated('A policy as JSON. Use assume_role.policy instead.'),
    assume_role_policy_arns: optional(
      STRINGS,
      'ARNs of policies. Use assume_role.policy_arns instead.',
      { deprecated: true },
    ),
    assume_role_tags: optional(
      mapType(STRING),
      'Tags of the session. Use assume_role.tags instead.',
      { deprecated: true },
    ),
    assume_role_transitive_tag_keys: optional(
      STRINGS,
      'Keys of tags that are passed on. Use assume_role.transitive_tag_keys instead.',
      { deprecated: true },
    ),
    assume_role: single({
      ...ROLE,
      external_id: text('The external ID to use when assuming the role'),
      source_identity: text('Source identity specified by the principal assuming the role.'),
      tags: optional(mapType(STRING), 'Assume role session tags.'),
      transitive_tag_keys: texts(
        'Assume role session tag keys to pass to any subsequent sessions.',
      ),
    }),
    assume_role_with_web_identity: single({
      ...ROLE,
      web_identity_token: text(
        'Value of a web identity token from an OpenID Connect (OIDC) or OAuth provider.',
      ),
      web_identity_token_file: text(
        'File containing a web identity token from an OpenID Connect (OIDC) or OAuth provider.',
      ),
    }),
    custom_ca_bundle: text('File containing custom root and intermediate certificates.'),
    http_proxy: text('URL of a proxy to use for HTTP requests when accessing the AWS API.'),
    https_proxy: text('URL of a proxy to use for HTTPS requests when accessing the AWS API.'),
    no_proxy: text('Comma-separated list of hosts that should not use HTTP or HTTPS proxies.'),
    insecure: flag('Whether to explicitly allow the backend to perform insecure SSL requests.'),
    use_fips_endpoint: flag('Force the backend to resolve endpoints with FIPS capability.'),
    use_dualstack_endpoint: flag(
      'Force the backend to resolve endpoints with DualStack capability.',
    ),
  },
  blocks: {},
};
