import { EC2 } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

describe('vpc', () => {
  let server: AwsServer;
  let ec2: EC2;

  beforeAll(async () => {
    server = await startAws();
    ec2 = new EC2(server.options());
  });
  afterAll(() => server.stop());

  it('leads a VPC through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_vpc.it',
      config: `
data "aws_caller_identity" "me" {}
data "aws_partition" "here" {}
data "aws_region" "here" {}
resource "aws_vpc" "it" {
  cidr_block           = "10.1.0.0/16"
  enable_dns_hostnames = true
  tags = { Name = "\${data.aws_partition.here.partition} \${data.aws_region.here.region} \${data.aws_caller_identity.me.account_id}" }
}
`,
      state: {
        id: /^vpc-/,
        arn: new RegExp(`^arn:aws:ec2:eu-west-1:${ACCOUNT}:vpc/vpc-`),
        enable_dns_support: true,
        default_security_group_id: /^sg-/,
        main_route_table_id: /^rtb-/,
        tags: { Name: `aws eu-west-1 ${ACCOUNT}` },
      },
      updates: [
        {
          config:
            'resource "aws_vpc" "it" {\n cidr_block = "10.1.0.0/16"\n enable_dns_hostnames = false\n}',
          state: { enable_dns_hostnames: false, tags: {}, tags_all: {} },
        },
      ],
      replace: {
        config: 'resource "aws_vpc" "it" {\n cidr_block = "10.2.0.0/16"\n region = "eu-west-2"\n}',
        by: ['cidr_block', 'region'],
        state: { region: 'eu-west-2' },
      },
      remaining: async () => {
        const inEach = ['eu-west-1', 'eu-west-2'].map((region) =>
          new EC2(server.options(region)).describeVpcs({
            Filters: [{ Name: 'is-default', Values: ['false'] }],
          }),
        );
        return (await Promise.all(inEach)).flatMap(({ Vpcs = [] }) => Vpcs);
      },
    });
  });

  it('detects changes of a VPC outside of the run', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_vpc.it',
      config: 'resource "aws_vpc" "it" {\n cidr_block = "10.3.0.0/16"\n tags = { a = "b" }\n}',
      state: { cidr_block: '10.3.0.0/16' },
      import: { id: ({ id }) => `${String(id)}@eu-west-1` },
      drift: {
        change: (object) =>
          ec2.createTags({ Resources: [String(object['id'])], Tags: [{ Key: 'a', Value: 'c' }] }),
        seen: { tags: { a: 'c' } },
      },
      disappear: (object) => ec2.deleteVpc({ VpcId: String(object['id']) }),
      remaining: async () =>
        (await ec2.describeVpcs({ Filters: [{ Name: 'is-default', Values: ['false'] }] })).Vpcs ??
        [],
    });
  });
});
