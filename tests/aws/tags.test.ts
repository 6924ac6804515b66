import { isDeepStrictEqual } from 'node:util';
import { EC2 } from '@aws-sdk/client-ec2';
import { IAM } from '@aws-sdk/client-iam';
import { SQS } from '@aws-sdk/client-sqs';
import { acceptanceTest } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, startAws } from './moto-life.ts';
import { quickAws } from './quick-aws.ts';

const policy = (more: string): string =>
  `jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole"${more} }] })`;

/** Resource types of all services that have tags, each with what it has to say. */
const TYPES: Readonly<Record<string, string>> = {
  aws_cloudwatch_log_group: 'name = "tagged"',
  aws_dynamodb_table:
    'name = "tagged"\n  hash_key = "h"\n  billing_mode = "PAY_PER_REQUEST"\n  attribute {\n    name = "h"\n    type = "S"\n  }',
  aws_ebs_volume: 'availability_zone = "eu-west-1a"\n  size = 1',
  aws_ecs_cluster: 'name = "tagged"',
  aws_eip: 'domain = "vpc"',
  aws_iam_policy: `name = "tagged"\n  policy = ${policy(', Resource = "*"')}`,
  aws_iam_role: `name = "tagged"\n  assume_role_policy = ${policy(', Principal = "*"')}`,
  aws_iam_user: 'name = "tagged"',
  aws_kms_key: 'deletion_window_in_days = 7',
  aws_route53_zone: 'name = "tagged.example"',
  aws_s3_bucket: 'bucket = "tagged-by-default"',
  aws_secretsmanager_secret: 'name = "tagged"\n  recovery_window_in_days = 0',
  aws_sns_topic: 'name = "tagged"',
  aws_sqs_queue: 'name = "tagged"',
  aws_ssm_parameter: 'name = "tagged"\n  type = "String"\n  value = "x"',
  aws_vpc: 'cidr_block = "10.0.0.0/16"',
};

/** These and no others. */
const only =
  (tags: Readonly<Record<string, string>>) =>
  (reportedTags: unknown): boolean =>
    isDeepStrictEqual({ ...Object(reportedTags) }, tags);

describe('tags of the provider block', () => {
  let server: AwsServer;
  beforeAll(async () => {
    server = await startAws();
  });
  afterAll(() => server.stop());

  it(
    'apply to every type without permanent diffs, and ignored tags are not read',
    { timeout: 600_000 },
    async () => {
      const provider = server.provider(`default_tags {
    tags = { Team = "core", Both = "default", Same = "same" }
  }
  ignore_tags {
    keys         = ["Ignored"]
    key_prefixes = ["auto:"]
  }`);
      const all = (tags: string): string =>
        Object.entries(TYPES)
          .map(([type, lines]) => `resource "${type}" "it" {\n  ${lines}\n  ${tags}\n}\n`)
          .join('');
      const each = <T>(value: T): Readonly<Record<string, T>> =>
        Object.fromEntries(Object.keys(TYPES).map((type) => [`${type}.it`, value]));
      const outside = { Ignored: 'x', 'auto:by': 'y' };
      const Tags = Object.entries(outside).map(([Key, Value]) => ({ Key, Value }));
      await acceptanceTest({
        providers: { 'hashicorp/aws': quickAws() },
        steps: [
          {
            // Tags of an object take precedence over default tags; null tags are not written.
            config:
              provider + all('tags = { Both = "own", Same = "same", Own = "x", None = null }'),
            state: each({
              tags: only({ Both: 'own', Same: 'same', Own: 'x' }),
              tags_all: only({ Both: 'own', Same: 'same', Own: 'x', Team: 'core' }),
            }),
          },
          {
            refresh: true,
            before: async ({ objects }) => {
              const id = (type: string): string => String(objects.get(`${type}.it`)?.['id']);
              const options = server.options();
              await new SQS(options).tagQueue({ QueueUrl: id('aws_sqs_queue'), Tags: outside });
              await new IAM(options).tagUser({ UserName: 'tagged', Tags });
              await new EC2(options).createTags({ Resources: [id('aws_vpc')], Tags });
            },
            drift: {},
            plan: 'empty',
          },
          {
            config: provider + all(''),
            plan: each('update' as const),
            state: each({
              tags: only({}),
              tags_all: only({ Both: 'default', Same: 'same', Team: 'core' }),
            }),
          },
        ],
      });
    },
  );
});
