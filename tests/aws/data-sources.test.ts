import { EC2 } from '@aws-sdk/client-ec2';
import { awsProvider } from '@terrane/provider-aws';
import { acceptanceTest } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, startAws } from './moto-life.ts';

const MANY =
  'Your query returned more than one result. Please try a more specific search criteria, or set `most_recent` attribute to true.';
const NONE = 'Your query returned no results. Please change your search criteria and try again.';

describe('data sources of AWS', () => {
  let server: AwsServer;
  let ec2: EC2;
  const made: { vpcs: string[]; volumes: string[] } = { vpcs: [], volumes: [] };

  beforeAll(async () => {
    server = await startAws();
    ec2 = new EC2(server.options());
    for (const CidrBlock of ['10.1.0.0/16', '10.2.0.0/16']) {
      const { Vpc } = await ec2.createVpc({ CidrBlock });
      made.vpcs.push(Vpc?.VpcId ?? '');
    }
    for (const Size of [1, 2]) {
      const { VolumeId = '' } = await ec2.createVolume({ AvailabilityZone: 'eu-west-1a', Size });
      made.volumes.push(VolumeId);
    }
  });
  afterAll(async () => {
    for (const VpcId of made.vpcs) await ec2.deleteVpc({ VpcId });
    for (const VolumeId of made.volumes) await ec2.deleteVolume({ VolumeId });
    await server.stop();
  });

  // The error messages of hashicorp/aws for no match and for more than one match.
  it.each([
    ['aws_vpc', 'id = "vpc-12345678"', 'no matching EC2 VPC found'],
    ['aws_vpc', 'tags = { nope = "x" }', 'no matching EC2 VPC found'],
    ['aws_vpc', 'default = false', /multiple EC2 VPCs matched; use additional constraints/],
    ['aws_ebs_volume', '', MANY],
    ['aws_ebs_volume', 'tags = { nope = "x" }', MANY],
    ['aws_ebs_volume', 'filter {\n    name   = "size"\n    values = ["77"]\n  }', NONE],
    ['aws_ami', 'owners = ["amazon"]', MANY],
    ['aws_ami', 'owners = ["self"]', NONE],
    ['aws_ami', 'owners = ["amazon"]\n  name_regex = "nothing-like-this"', NONE],
    ['aws_s3_bucket', 'bucket = "not-there-at-all"', /not-there-at-all.*couldn't find resource/s],
    ['aws_ssm_parameter', 'name = "/nope"', /\/nope.*couldn't find resource/s],
    ['aws_region', 'region = "nowhere-1"', /by name \(nowhere-1\).*couldn't find resource/s],
    ['aws_region', 'endpoint = "what"', /by endpoint \(what\).*couldn't find resource/s],
    [
      'aws_region',
      'region   = "eu-west-1"\n  endpoint = "ec2.us-east-1.amazonaws.com"',
      /multiple Regions matched.*use additional constraints to reduce matches to a single Region/s,
    ],
  ])('say that what is looked for is not one thing: %s %s', async (type, lines, error) => {
    await acceptanceTest({
      providers: { 'hashicorp/aws': awsProvider },
      steps: [{ config: `${server.provider()}data "${type}" "it" {\n  ${lines}\n}\n`, error }],
    });
  });

  it('find one thing by each of their arguments', { timeout: 600_000 }, async () => {
    await acceptanceTest({
      providers: { 'hashicorp/aws': awsProvider },
      steps: [
        {
          config: `${server.provider()}
data "aws_vpc" "by_network" {
  cidr_block = "10.1.0.0/16"
  state      = "available"
}
data "aws_vpc" "usual" {
  default = true
}
data "aws_region" "by_endpoint" {
  endpoint = "ec2.cn-north-1.amazonaws.com.cn"
}
data "aws_availability_zones" "some" {
  state            = "available"
  exclude_names    = ["eu-west-1a"]
  exclude_zone_ids = ["nothing"]
}
data "aws_ebs_volume" "newest" {
  most_recent = true
}
`,
          state: {
            'data.aws_vpc.by_network': {
              id: made.vpcs[0] ?? '',
              default: false,
              ipv6_cidr_block: '',
            },
            'data.aws_vpc.usual': { default: true, state: null },
            'data.aws_region.by_endpoint': { region: 'cn-north-1', name: 'cn-north-1' },
            'data.aws_availability_zones.some': { names: ['eu-west-1b', 'eu-west-1c'] },
            'data.aws_ebs_volume.newest': { most_recent: true },
          },
        },
      ],
    });
  });
});
