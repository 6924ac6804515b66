import { EC2 } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

const VPC = 'resource "aws_vpc" "v" {\n  cidr_block = "10.0.0.0/16"\n}\n';
const SUBNET = `${VPC}resource "aws_subnet" "s" {
  vpc_id     = aws_vpc.v.id
  cidr_block = "10.0.1.0/24"
}
`;

describe('networks of ec2', () => {
  let server: AwsServer;
  let ec2: EC2;
  const groups = async (): Promise<readonly unknown[]> =>
    ((await ec2.describeSecurityGroups({})).SecurityGroups ?? []).filter(
      ({ GroupName }) => GroupName !== 'default',
    );
  const outside = (name: string) => [{ Name: name, Values: ['false'] }];

  beforeAll(async () => {
    server = await startAws();
    ec2 = new EC2(server.options());
  });
  afterAll(() => server.stop());

  it('leads a subnet through its life', { timeout: 600_000 }, async () => {
    const config = (more: string): string => `${VPC}
data "aws_availability_zones" "z" {}
resource "aws_subnet" "it" {
  vpc_id            = aws_vpc.v.id
  availability_zone = data.aws_availability_zones.z.names[0]
  ${more}
}
data "aws_subnets" "all" {
  filter {
    name   = "vpc-id"
    values = [aws_subnet.it.vpc_id]
  }
}
data "aws_vpc" "v" {
  id = aws_subnet.it.vpc_id
}
`;
    await resourceLife(server, {
      address: 'aws_subnet.it',
      config: config('cidr_block = "10.0.1.0/24"\n  tags = { Name = "a" }'),
      state: { availability_zone: 'eu-west-1a', map_public_ip_on_launch: false, arn: /:subnet\// },
      updates: [
        {
          config: config('cidr_block = "10.0.1.0/24"\n  map_public_ip_on_launch = true'),
          state: { map_public_ip_on_launch: true, tags: {} },
        },
      ],
      replace: {
        config: config('cidr_block = "10.0.2.0/24"'),
        by: ['cidr_block'],
      },
      drift: {
        change: ({ id }) =>
          ec2.modifySubnetAttribute({
            SubnetId: String(id),
            MapPublicIpOnLaunch: { Value: true },
          }),
        seen: { map_public_ip_on_launch: true },
      },
      disappear: ({ id }) => ec2.deleteSubnet({ SubnetId: String(id) }),
      remaining: async () =>
        (await ec2.describeSubnets({ Filters: outside('default-for-az') })).Subnets ?? [],
    });
  });

  it('leads an internet gateway through its life', { timeout: 600_000 }, async () => {
    const other = VPC.replace('"v"', '"w"');
    const config = (vpc: string): string =>
      `${VPC}${other}${other.replace('"w" {', '"far" {\n  region = "eu-west-2"')}resource "aws_internet_gateway" "it" {\n  ${vpc}\n}\n`;
    const elsewhere = new EC2(server.options('eu-west-2'));
    const detach = ({ id, vpc_id }: Readonly<Record<string, unknown>>) =>
      elsewhere.detachInternetGateway({ InternetGatewayId: String(id), VpcId: String(vpc_id) });
    await resourceLife(server, {
      address: 'aws_internet_gateway.it',
      config: config('vpc_id = aws_vpc.v.id'),
      state: { vpc_id: /^vpc-/, owner_id: ACCOUNT },
      updates: [{ config: config('vpc_id = aws_vpc.w.id'), state: { vpc_id: /^vpc-/ } }],
      replace: {
        config: config('vpc_id = aws_vpc.far.id\n  region = "eu-west-2"'),
        by: ['region'],
      },
      drift: { change: detach, seen: { vpc_id: '' } },
      disappear: async (gateway) => {
        await detach(gateway);
        await elsewhere.deleteInternetGateway({ InternetGatewayId: String(gateway['id']) });
      },
      remaining: async () => {
        const inEach = [ec2, elsewhere].map((region) => region.describeInternetGateways({}));
        return (await Promise.all(inEach)).flatMap(({ InternetGateways = [] }) => InternetGateways);
      },
    });
  });

  it(
    'leads a route table and its association through their lives',
    { timeout: 600_000 },
    async () => {
      const gateway = 'resource "aws_internet_gateway" "g" {\n  vpc_id = aws_vpc.v.id\n}\n';
      const table = (routes: string): string =>
        `${VPC}${gateway}resource "aws_route_table" "it" {\n  vpc_id = aws_vpc.v.id\n  ${routes}\n}\n`;
      const route = (to: string): string =>
        `route {\n    cidr_block = "${to}"\n    gateway_id = aws_internet_gateway.g.id\n  }\n`;
      const routeTables = async () =>
        ((await ec2.describeRouteTables({})).RouteTables ?? []).filter(
          ({ Associations = [] }) => !Associations.some(({ Main }) => Main === true),
        );
      await resourceLife(server, {
        address: 'aws_route_table.it',
        config: table(route('0.0.0.0/0')),
        state: { route: (routes: unknown) => Array.isArray(routes) && routes.length === 1 },
        updates: [
          {
            config: table(route('10.9.0.0/16') + route('10.8.0.0/16')),
            state: { route: (routes: unknown) => Array.isArray(routes) && routes.length === 2 },
          },
        ],
        replace: {
          config: `${VPC.replace('"v"', '"w"')}${table(
            route('10.9.0.0/16') + route('10.8.0.0/16'),
          ).replace(
            '  vpc_id = aws_vpc.v.id\n  route',
            '  vpc_id = aws_vpc.w.id\n  route',
          )}`.replace(gateway, gateway.replace('aws_vpc.v.id', 'aws_vpc.w.id')),
          by: ['vpc_id'],
          plan: { 'aws_vpc.w': 'create', 'aws_internet_gateway.g': 'update' },
        },
        drift: {
          change: ({ id }) =>
            ec2.deleteRoute({ RouteTableId: String(id), DestinationCidrBlock: '10.9.0.0/16' }),
          seen: { route: (routes: unknown) => Array.isArray(routes) && routes.length === 1 },
        },
        disappear: ({ id }) => ec2.deleteRouteTable({ RouteTableId: String(id) }),
        remaining: routeTables,
      });
      const association = (name: string, subnet = 's'): string => `${SUBNET}
resource "aws_subnet" "t" {
  vpc_id     = aws_vpc.v.id
  cidr_block = "10.0.2.0/24"
}
resource "aws_route_table" "a" {
  vpc_id = aws_vpc.v.id
}
resource "aws_route_table" "b" {
  vpc_id = aws_vpc.v.id
}
resource "aws_route_table_association" "it" {
  subnet_id      = aws_subnet.${subnet}.id
  route_table_id = aws_route_table.${name}.id
}
`;
      await resourceLife(server, {
        address: 'aws_route_table_association.it',
        config: association('a'),
        state: { id: /^rtbassoc-/ },
        import: {
          id: ({ subnet_id, route_table_id }) => `${String(subnet_id)}/${String(route_table_id)}`,
        },
        updates: [{ config: association('b'), state: { route_table_id: /^rtb-/ } }],
        replace: { config: association('b', 't'), by: ['subnet_id'] },
        without: {
          drift: 'EC2 gives the association with another table another id: this one is gone then',
        },
        disappear: ({ id }) => ec2.disassociateRouteTable({ AssociationId: String(id) }),
        remaining: routeTables,
      });
    },
  );

  it('leads a security group through its life', { timeout: 600_000 }, async () => {
    const config = (rules: string, name = 'web'): string =>
      `${VPC}resource "aws_security_group" "it" {\n  name   = "${name}"\n  vpc_id = aws_vpc.v.id\n  ${rules}\n}\n`;
    const rule = (way: string, port: number, cidrs: string): string =>
      `${way} {\n    from_port   = ${port}\n    to_port     = ${port}\n    protocol    = "tcp"\n    cidr_blocks = ${cidrs}\n  }\n`;
    const some = (count: number) => (rules: unknown) =>
      Array.isArray(rules) && rules.length === count;
    await resourceLife(server, {
      address: 'aws_security_group.it',
      config: config(rule('ingress', 80, '["10.0.0.0/8", "192.168.0.0/16"]')),
      state: {
        name: 'web',
        description: 'Managed by Terraform',
        ingress: some(1),
        egress: some(0),
      },
      updates: [
        {
          config: config(
            rule('ingress', 80, '["10.0.0.0/8"]') +
              rule('ingress', 443, '["10.0.0.0/8"]') +
              'egress {\n    from_port = 0\n    to_port = 0\n    protocol = "-1"\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n',
          ),
          state: { ingress: some(2), egress: some(1) },
        },
      ],
      replace: {
        config: config(rule('ingress', 80, '["10.0.0.0/8"]'), 'other'),
        by: ['name'],
        state: { ingress: some(1) },
      },
      drift: {
        change: ({ id }) =>
          ec2.authorizeSecurityGroupIngress({
            GroupId: String(id),
            IpPermissions: [
              {
                IpProtocol: 'tcp',
                FromPort: 22,
                ToPort: 22,
                IpRanges: [{ CidrIp: '0.0.0.0/0' }],
              },
            ],
          }),
        seen: { ingress: some(2) },
      },
      disappear: ({ id }) => ec2.deleteSecurityGroup({ GroupId: String(id) }),
      remaining: groups,
    });
  });

  it('leads rules of security groups through their lives', { timeout: 600_000 }, async () => {
    const named = (label: string): string =>
      `resource "aws_security_group" "${label}" {\n  vpc_id = aws_vpc.v.id\n  lifecycle {\n    ignore_changes = [ingress, egress]\n  }\n}\n`;
    const group = `${VPC}${named('g')}${named('h')}`;
    const configuration = (more: string, label = 'g'): string =>
      `${group}resource "aws_vpc_security_group_ingress_rule" "it" {\n  security_group_id = aws_security_group.${label}.id\n  ip_protocol = "tcp"\n  from_port = 80\n  to_port = 80\n  ${more}\n}
resource "aws_vpc_security_group_egress_rule" "out" {\n  security_group_id = aws_security_group.g.id\n  ip_protocol = "-1"\n  cidr_ipv4 = "0.0.0.0/0"\n}\n`;
    await resourceLife(server, {
      address: 'aws_vpc_security_group_ingress_rule.it',
      config: configuration('cidr_ipv4 = "10.0.0.0/8"'),
      state: { id: /^sgr-/, cidr_ipv4: '10.0.0.0/8' },
      updates: [
        {
          config: configuration('cidr_ipv4 = "10.0.0.0/8"\n  description = "web"'),
          state: { description: 'web' },
        },
      ],
      replace: {
        // The server does not take a description away.
        config: configuration('cidr_ipv4 = "10.0.0.0/8"\n  description = "web"', 'h'),
        by: ['security_group_id'],
      },
      drift: {
        change: ({ id, security_group_id }) =>
          ec2.modifySecurityGroupRules({
            GroupId: String(security_group_id),
            SecurityGroupRules: [
              {
                SecurityGroupRuleId: String(id),
                SecurityGroupRule: {
                  IpProtocol: 'tcp',
                  FromPort: 80,
                  ToPort: 80,
                  CidrIpv4: '10.0.0.0/8',
                  Description: 'odd',
                },
              },
            ],
          }),
        seen: { description: 'odd' },
        alsoSeen: { 'aws_security_group.h': { ingress: [{ description: 'odd' }] } },
      },
      disappear: ({ id, security_group_id }) =>
        ec2.revokeSecurityGroupIngress({
          GroupId: String(security_group_id),
          SecurityGroupRuleIds: [String(id)],
        }),
      alsoSeen: { 'aws_security_group.h': { ingress: [] } },
      remaining: groups,
    });
    const out = (port: number, label = 'g'): string =>
      `${group}resource "aws_vpc_security_group_egress_rule" "it" {\n  security_group_id = aws_security_group.${label}.id\n  ip_protocol = "tcp"\n  from_port = ${port}\n  to_port = ${port}\n  cidr_ipv4 = "10.0.0.0/8"\n}\n`;
    await resourceLife(server, {
      address: 'aws_vpc_security_group_egress_rule.it',
      config: out(443),
      state: { id: /^sgr-/, cidr_ipv4: '10.0.0.0/8', from_port: 443 },
      updates: [{ config: out(444), state: { from_port: 444, to_port: 444 } }],
      replace: { config: out(444, 'h'), by: ['security_group_id'] },
      drift: {
        change: ({ id, security_group_id }) =>
          ec2.modifySecurityGroupRules({
            GroupId: String(security_group_id),
            SecurityGroupRules: [
              {
                SecurityGroupRuleId: String(id),
                SecurityGroupRule: {
                  IpProtocol: 'tcp',
                  FromPort: 445,
                  ToPort: 445,
                  CidrIpv4: '10.0.0.0/8',
                },
              },
            ],
          }),
        seen: { from_port: 445, to_port: 445 },
        alsoSeen: { 'aws_security_group.h': { egress: [{ from_port: 445 }] } },
      },
      disappear: ({ id, security_group_id }) =>
        ec2.revokeSecurityGroupEgress({
          GroupId: String(security_group_id),
          SecurityGroupRuleIds: [String(id)],
        }),
      alsoSeen: { 'aws_security_group.h': { egress: [] } },
      remaining: groups,
    });
    const older = (description: string, port = 80): string =>
      `${group}resource "aws_security_group_rule" "it" {\n  type = "ingress"\n  security_group_id = aws_security_group.g.id\n  protocol = "tcp"\n  from_port = ${port}\n  to_port = ${port}\n  cidr_blocks = ["10.0.0.0/8"]\n  description = "${description}"\n}\n`;
    await resourceLife(server, {
      address: 'aws_security_group_rule.it',
      config: older('a'),
      state: { id: /^sgrule-/ },
      import: {
        id: ({ security_group_id }) => `${String(security_group_id)}_ingress_tcp_80_80_10.0.0.0/8`,
      },
      updates: [{ config: older('b'), state: { description: 'b' } }],
      replace: { config: older('b', 81), by: ['from_port', 'to_port'] },
      disappear: ({ security_group_id }) =>
        ec2.revokeSecurityGroupIngress({
          GroupId: String(security_group_id),
          IpPermissions: [
            { IpProtocol: 'tcp', FromPort: 81, ToPort: 81, IpRanges: [{ CidrIp: '10.0.0.0/8' }] },
          ],
        }),
      alsoSeen: { 'aws_security_group.g': { ingress: [] } },
      drift: {
        change: ({ security_group_id }) =>
          ec2.updateSecurityGroupRuleDescriptionsIngress({
            GroupId: String(security_group_id),
            IpPermissions: [
              {
                IpProtocol: 'tcp',
                FromPort: 81,
                ToPort: 81,
                IpRanges: [{ CidrIp: '10.0.0.0/8', Description: 'odd' }],
              },
            ],
          }),
        seen: { description: 'odd' },
        alsoSeen: { 'aws_security_group.g': { ingress: [{ description: 'odd' }] } },
      },
      remaining: groups,
    });
  });
});
