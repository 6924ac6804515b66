// Empty values may be written or omitted without a difference, for created and for imported objects.
import { acceptanceTest, type Step } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, startAws } from './moto-life.ts';
import { quickAws } from './quick-aws.ts';

/** The arguments of each type, those that may be omitted, and those that an import does not read. */
const TYPES: readonly {
  readonly type: string;
  readonly written: string;
  readonly empty: string;
  readonly ignore?: readonly string[];
  /** what it is imported by, where that is not its id */
  readonly id?: string;
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
  {
    type: 'aws_iam_policy',
    written:
      'name = "p"\n  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sqs:*", Resource = "*" }] })',
    empty: 'description = ""\n  tags = {}',
  },
  {
    type: 'aws_iam_user',
    written: 'name = "u"',
    empty: 'force_destroy = false\n  permissions_boundary = ""\n  tags = {}',
  },
  {
    type: 'aws_iam_instance_profile',
    written: 'name = "i"',
    empty: 'role = ""\n  tags = {}',
  },
  {
    type: 'aws_internet_gateway',
    written: 'vpc_id = aws_vpc.it.id',
    empty: 'tags = {}',
  },
  {
    type: 'aws_route_table',
    written: 'vpc_id = aws_vpc.it.id',
    empty: 'tags = {}',
  },
  {
    type: 'aws_eip',
    written: 'domain = "vpc"',
    empty: 'instance = ""\n  network_interface = ""\n  tags = {}',
  },
  {
    type: 'aws_vpc_security_group_ingress_rule',
    written:
      'security_group_id = aws_security_group.it.id\n  cidr_ipv4 = "10.1.0.0/16"\n  ip_protocol = "tcp"\n  from_port = 0\n  to_port = 0',
    empty: 'tags = {}',
  },
  {
    type: 'aws_ecs_cluster',
    written: 'name = "c"',
    empty: 'tags = {}',
    id: 'c',
  },
  {
    type: 'aws_s3_bucket',
    written: 'bucket = "empty-values-it"',
    empty: 'force_destroy = false\n  object_lock_enabled = false\n  tags = {}',
    ignore: ['force_destroy'],
  },
  {
    type: 'aws_s3_bucket_public_access_block',
    written: 'bucket = aws_s3_bucket.it.id\n  block_public_acls = true',
    empty:
      'block_public_policy = false\n  ignore_public_acls = false\n  restrict_public_buckets = false',
  },
  {
    type: 'aws_s3_bucket_versioning',
    written:
      'bucket = aws_s3_bucket.it.id\n  versioning_configuration {\n    status = "Enabled"\n  }',
    empty: 'expected_bucket_owner = ""',
  },
  {
    type: 'aws_kms_key',
    written: 'description = "k"',
    empty:
      'bypass_policy_lockout_safety_check = false\n  enable_key_rotation = false\n  multi_region = false\n  tags = {}',
    ignore: ['bypass_policy_lockout_safety_check', 'deletion_window_in_days'],
  },
  {
    type: 'aws_sns_topic_subscription',
    written:
      'topic_arn = aws_sns_topic.it.arn\n  protocol = "sqs"\n  endpoint = aws_sqs_queue.it.arn',
    empty:
      'raw_message_delivery = false\n  endpoint_auto_confirms = false\n  filter_policy = ""\n  redrive_policy = ""',
    ignore: ['confirmation_timeout_in_minutes', 'endpoint_auto_confirms'],
  },
];

describe('an empty value', () => {
  let server: AwsServer;
  beforeAll(async () => {
    server = await startAws();
  });
  afterAll(() => server.stop());

  it('is the same as nothing, in imported objects too', { timeout: 900_000 }, async () => {
    const config = (withEmpty: boolean): string =>
      server.provider() +
      TYPES.map(
        ({ type, written, empty }) =>
          `resource "${type}" "it" {\n  ${written}\n  ${withEmpty ? empty : ''}\n}\n`,
      ).join('');
    const imports = TYPES.map(({ type, id, ignore = [] }): Step => ({
      import: `${type}.it`,
      ...(id !== undefined && { id }),
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
