import { configValue } from '@terrane/provider/testing';
import { provider } from '@terrane/provider-aws';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';

const CONFLICT = 'Conflicting configuration arguments';
const MISSING = 'Missing required argument';

// The errors of hashicorp/aws for these configurations, except for those of its JSON parser.
const REFUSED: readonly (readonly [
  string,
  Record<string, unknown>,
  readonly (string | RegExp)[],
])[] = [
  [
    'aws_iam_role',
    { assume_role_policy: '' },
    ['"assume_role_policy" is an empty string, which is not a valid JSON value'],
  ],
  [
    'aws_iam_role',
    { assume_role_policy: 'no' },
    ['"assume_role_policy" contains an invalid JSON policy: not a JSON object'],
  ],
  [
    'aws_iam_role',
    { assume_role_policy: '[1]' },
    [
      '"assume_role_policy" contains an invalid JSON policy: contains a JSON array, not a JSON object',
    ],
  ],
  [
    'aws_iam_role',
    { assume_role_policy: '{}', name: 'a b' },
    ['invalid value for name (must match [\\w+=,.@-])'],
  ],
  [
    'aws_iam_role',
    { assume_role_policy: '{}', name: 'a', name_prefix: 'b' },
    [
      `${CONFLICT}: "name": conflicts with name_prefix`,
      `${CONFLICT}: "name_prefix": conflicts with name`,
    ],
  ],
  [
    'aws_iam_role',
    { assume_role_policy: '{}', name_prefix: 'x'.repeat(39) },
    [`expected length of name_prefix to be in the range (1 - 38), got ${'x'.repeat(39)}`],
  ],
  [
    'aws_iam_role',
    { assume_role_policy: '{}', max_session_duration: 10 },
    ['expected max_session_duration to be in the range (3600 - 43200), got 10'],
  ],
  [
    'aws_iam_role',
    { assume_role_policy: '{}', permissions_boundary: 'x', managed_policy_arns: ['x'] },
    [
      '"managed_policy_arns.0" (x) is an invalid ARN: arn: invalid prefix',
      '"permissions_boundary" (x) is an invalid ARN: arn: invalid prefix',
    ],
  ],
  [
    'aws_iam_policy',
    { policy: '"x"' },
    [
      '"policy" contains an invalid JSON policy: contains a JSON-encoded string, not a JSON-encoded object',
    ],
  ],
  ['aws_iam_policy', { policy: '{' }, [/^"policy" contains an invalid JSON policy: /]],
  [
    'aws_iam_role_policy_attachment',
    { role: 'r', policy_arn: 'arn:aws:iam' },
    ['"policy_arn" (arn:aws:iam) is an invalid ARN: arn: not enough sections'],
  ],
  ['aws_sqs_queue', { policy: '{' }, [/^"policy" contains an invalid JSON: /]],
  [
    'aws_vpc',
    { cidr_block: '10.0.0.1/16', instance_tenancy: 'x' },
    [
      'expected cidr_block to contain a valid network Value, expected 10.0.0.0/16, got 10.0.0.1/16',
      'expected instance_tenancy to be one of ["default" "dedicated"], got x',
    ],
  ],
  [
    'aws_vpc',
    { cidr_block: '10.0.0.0/8' },
    [
      'expected "cidr_block" to contain a network Value with between 16 and 28 significant bits, got: 8',
    ],
  ],
  [
    'aws_vpc',
    { ipv6_cidr_block: 'x' },
    [
      `${MISSING}: "ipv6_cidr_block": all of \`ipv6_cidr_block,ipv6_ipam_pool_id\` must be specified`,
    ],
  ],
  [
    'aws_subnet',
    { vpc_id: 'v', cidr_block: '10.0.0.1/24' },
    ['"10.0.0.1/24" is not a valid IPv4 CIDR block; did you mean "10.0.0.0/24"?'],
  ],
  [
    'aws_subnet',
    { vpc_id: 'v', cidr_block: '10.0.0.256/24' },
    ['"10.0.0.256/24" is not a valid CIDR block: invalid CIDR address: 10.0.0.256/24'],
  ],
  ['aws_security_group', { name: 'sg-x' }, ['invalid value for name (cannot begin with sg-)']],
  [
    'aws_security_group_rule',
    {
      type: 'ingress',
      protocol: 'tcp',
      from_port: 1,
      to_port: 1,
      security_group_id: 's',
      cidr_blocks: ['x'],
    },
    ['"x" is not a valid CIDR block: invalid CIDR address: x'],
  ],
  [
    'aws_vpc_security_group_ingress_rule',
    { security_group_id: 's', ip_protocol: 'tcp' },
    [/^Missing Attribute Configuration: Exactly one of these attributes must be configured/],
  ],
  [
    'aws_route_table_association',
    { route_table_id: 'r', subnet_id: 's', gateway_id: 'g' },
    ['gateway_id', 'subnet_id'].map(
      (name) =>
        `Invalid combination of arguments: "${name}": only one of \`gateway_id,subnet_id\` can be specified, but \`gateway_id,subnet_id\` were specified.`,
    ),
  ],
  [
    'aws_ebs_volume',
    { availability_zone: 'a' },
    ['size', 'snapshot_id'].map(
      (name) => `${MISSING}: "${name}": one of \`size,snapshot_id\` must be specified`,
    ),
  ],
  ['aws_eip', { domain: 'x' }, ['expected domain to be one of ["vpc" "standard"], got x']],
  [
    'aws_instance',
    {
      ami: 'a',
      instance_type: 't',
      metadata_options: [{ http_tokens: 'x', http_put_response_hop_limit: 100 }],
    },
    [
      'expected metadata_options.0.http_put_response_hop_limit to be in the range (1 - 64), got 100',
      'expected http_tokens to be one of ["optional" "required"], got x',
    ],
  ],
  [
    'aws_ami',
    { name: 'x', architecture: 'z' },
    [
      'expected architecture to be one of ["i386" "x86_64" "arm64" "x86_64_mac" "arm64_mac"], got z',
    ],
  ],
  [
    'aws_sqs_queue',
    { delay_seconds: 1000, deduplication_scope: 'x' },
    [
      'expected deduplication_scope to be one of ["messageGroup" "queue"], got x',
      'expected delay_seconds to be in the range (0 - 900), got 1000',
    ],
  ],
  [
    'aws_cloudwatch_log_group',
    { name: 'a b' },
    [
      '"name" isn\'t a valid log group name (alphanumeric characters, underscores, hyphens, slashes, hash signs and dots are allowed): "a b"',
    ],
  ],
  [
    'aws_lambda_permission',
    { action: 'x', function_name: 'f', principal: 'p', source_account: 'y', source_arn: 'z' },
    [
      'invalid value for action (must be a valid action (usually starts with lambda:))',
      '"source_account" doesn\'t look like AWS Account ID (exactly 12 digits): "y"',
      '"source_arn" (z) is an invalid ARN: arn: invalid prefix',
    ],
  ],
  [
    'aws_s3_bucket',
    { bucket_prefix: 'x'.repeat(38) },
    [`expected length of bucket_prefix to be in the range (0 - 37), got ${'x'.repeat(38)}`],
  ],
  [
    'aws_s3_object',
    { bucket: '', key: '', server_side_encryption: 'q' },
    [
      'bucket must not be empty, got ',
      'key must not be empty, got ',
      'expected server_side_encryption to be one of ["AES256" "aws:kms" "aws:kms:dsse"], got q',
    ],
  ],
  [
    'aws_kms_key',
    { rotation_period_in_days: 100 },
    [
      `${MISSING}: "rotation_period_in_days": all of \`enable_key_rotation,rotation_period_in_days\` must be specified`,
    ],
  ],
  [
    'aws_ssm_parameter',
    { name: 'a', type: 'String', value: 'x', insecure_value: 'y' },
    ['insecure_value', 'value', 'value_wo'].map(
      (name) =>
        `Invalid combination of arguments: "${name}": only one of \`insecure_value,value,value_wo\` can be specified, but \`insecure_value,value\` were specified.`,
    ),
  ],
  [
    'aws_route53_zone',
    { name: 'x', delegation_set_id: 'd', vpc: [{ vpc_id: 'v' }] },
    [
      `${CONFLICT}: "vpc": conflicts with delegation_set_id`,
      `${CONFLICT}: "delegation_set_id": conflicts with vpc`,
    ],
  ],
];

describe('validation of resources of AWS', async () => {
  const aws = provider.create(memoryHost());
  const { resources } = await aws.schema();

  /** Errors as `summary: detail`, or the summary where there is no more. */
  const errorsOf = async (
    type: string,
    written: Record<string, unknown>,
  ): Promise<readonly string[]> => {
    const block = resources[type]?.block;
    if (block === undefined) throw new Error(`there is no ${type}`);
    const config = configValue(block, written);
    const { diagnostics = [] } = await aws.validateResourceConfig({
      type,
      config,
      capabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
    });
    return diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ summary, detail }) => (detail === '' ? summary : `${summary}: ${detail}`));
  };

  it.each(REFUSED)(
    'rejects invalid values before the plan: %s %j',
    async (type, written, expected) => {
      const errors = await errorsOf(type, written);
      expect(errors).toHaveLength(expected.length);
      const each = expected.map((expectedText) =>
        typeof expectedText === 'string' ? expectedText : expect.stringMatching(expectedText),
      );
      expect(errors).toEqual(expect.arrayContaining(each));
    },
  );

  it.each([
    ['aws_instance', { launch_template: [{ id: 'lt-1' }] }],
    [
      'aws_security_group_rule',
      {
        type: 'egress',
        protocol: '-1',
        from_port: 0,
        to_port: 0,
        security_group_id: 's',
        cidr_blocks: [],
      },
    ],
    ['aws_vpc', { cidr_block: '10.0.0.0/28' }],
    [
      'aws_iam_role_policy_attachment',
      { role: 'r', policy_arn: 'arn:aws-us-gov:iam::aws:policy/ReadOnlyAccess' },
    ],
  ])('accepts valid values: %s %j', async (type, written) => {
    expect(await errorsOf(type, written)).toEqual([]);
  });
});
