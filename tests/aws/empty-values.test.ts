// What is empty makes no difference: whether it is written or left out, in objects that were created as in imported ones.
import { acceptanceTest, type Step } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, startAws } from './moto-life.ts';
import { quickAws } from './quick-aws.ts';

/** What is written of each type, what may be written or left out, and what imports do not tell. */
const TYPES: readonly {
  readonly type: string;
  readonly written: string;
  readonly empty: string;
  readonly ignore?: readonly string[];
}[] = [
  {
    type: 'aws_sqs_queue',
    written: 'name = "q"',
    empty: 'kms_master_key_id = ""\n  delay_seconds = 0\n  tags = {}',
  },
  { type: 'aws_sns_topic', written: 'name = "t"', empty: 'display_name = ""' },
  {
    type: 'aws_iam_role',
    written:
      'name = "r"\n  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [] })',
    empty: 'description = ""\n  tags = {}',
    ignore: ['force_detach_policies'],
  },
  {
    type: 'aws_cloudwatch_log_group',
    written: 'name = "g"',
    empty: 'kms_key_id = ""\n  retention_in_days = 0\n  skip_destroy = false',
    ignore: ['skip_destroy'],
  },
  {
    type: 'aws_ebs_volume',
    written: 'availability_zone = "eu-west-1a"\n  size = 1',
    empty: 'multi_attach_enabled = false\n  final_snapshot = false',
  },
  {
    type: 'aws_vpc',
    written: 'cidr_block = "10.0.0.0/16"',
    empty: 'assign_generated_ipv6_cidr_block = false\n  enable_dns_hostnames = false',
  },
  {
    type: 'aws_subnet',
    written: 'vpc_id = aws_vpc.it.id\n  cidr_block = "10.0.0.0/24"',
    empty:
      'map_public_ip_on_launch = false\n  enable_dns64 = false\n  assign_ipv6_address_on_creation = false',
  },
  {
    type: 'aws_dynamodb_table',
    written:
      'name = "table"\n  hash_key = "id"\n  billing_mode = "PAY_PER_REQUEST"\n  attribute {\n    name = "id"\n    type = "S"\n  }',
    empty:
      'deletion_protection_enabled = false\n  stream_enabled = false\n  ttl {\n    attribute_name = ""\n    enabled = false\n  }',
  },
  {
    type: 'aws_secretsmanager_secret',
    written: 'name = "s"',
    empty: 'description = ""\n  kms_key_id = ""\n  force_overwrite_replica_secret = false',
  },
  {
    type: 'aws_ssm_parameter',
    written: 'name = "/p"\n  type = "String"\n  value = "v"',
    empty: 'description = ""\n  allowed_pattern = ""',
    ignore: ['has_value_wo'],
  },
  {
    type: 'aws_security_group',
    written: 'name = "web"\n  vpc_id = aws_vpc.it.id',
    empty: 'revoke_rules_on_delete = false\n  tags = {}',
    ignore: ['revoke_rules_on_delete'],
  },
  {
    type: 'aws_route53_zone',
    written: 'name = "example.com"\n  comment = "c"',
    empty: 'delegation_set_id = ""\n  force_destroy = false',
    ignore: ['force_destroy'],
  },
];

describe('what is empty', () => {
  let server: AwsServer;
  beforeAll(async () => {
    server = await startAws();
  }, 120_000);
  afterAll(() => server.stop());

  it('is the same as nothing, in imported objects too', { timeout: 900_000 }, async () => {
    const config = (withEmpty: boolean): string =>
      server.provider() +
      TYPES.map(
        ({ type, written, empty }) =>
          `resource "${type}" "it" {\n  ${written}\n  ${withEmpty ? empty : ''}\n}\n`,
      ).join('');
    const imports = TYPES.map(({ type, ignore = [] }): Step => ({
      import: `${type}.it`,
      ignore,
      plan: 'no-op',
    }));
    await acceptanceTest({
      providers: { 'hashicorp/aws': quickAws() },
      steps: [
        { config: config(false) },
        ...imports,
        { config: config(true), plan: 'empty' },
        ...imports,
        { config: config(false), plan: 'empty' },
      ],
    });
  });
});
