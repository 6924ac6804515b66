import { minutes, seconds } from '@terrane/provider/sdk';
import type { Written } from '@terrane/provider/testing';
import { type Actors, errorOf } from '../moto-world.ts';
import {
  type ServiceRules,
  type Source,
  type TypeRules,
  type WaitRule,
  xmlElement,
} from './rules.ts';
import { lingeringInterfaces } from './lingering.rules.ts';
import { SUBNET_ATTRIBUTES, SUBNET_NETWORKS, VPC_NETWORKS } from './subnet.rules.ts';

const WAIT: Source = {
  file: 'ec2/wait.go',
  commit: '011a8eed43ed7763ef9de18cbb776eb29c762452',
};

const INTERFACES: Source = { file: 'ec2/vpc_network_interface.go', release: '5' };

const DEPENDENT = {
  status: 400,
  code: 'DependencyViolation',
  message: 'It has dependencies.',
  anyMessage: true,
};
const NO_VPC = {
  status: 400,
  code: 'InvalidVpcID.NotFound',
  message: 'The vpc ID does not exist',
  anyMessage: true,
};

/** Creates a VPC for what is to be in it. */
const inVpc = async (actors: Actors): Promise<Written> => ({
  vpc_id: await created(actors, 'aws_vpc', { cidr_block: '10.0.0.0/16' }),
});

/** The gateway that routes of an update lead to; it is created together with the VPC. */
let gateway = '';
const withGateway = async (actors: Actors): Promise<Written> => {
  const inside = await inVpc(actors);
  gateway = await created(actors, 'aws_internet_gateway', inside);
  return inside;
};
const NO_ROUTE = {
  carrier_gateway_id: '',
  core_network_arn: '',
  destination_prefix_list_id: '',
  egress_only_gateway_id: '',
  ipv6_cidr_block: '',
  local_gateway_id: '',
  nat_gateway_id: '',
  network_interface_id: '',
  transit_gateway_id: '',
  vpc_endpoint_id: '',
  vpc_peering_connection_id: '',
};
const withRoute = (): Written => ({
  route: [{ ...NO_ROUTE, cidr_block: '10.9.0.0/16', gateway_id: gateway }],
});

const NO_GROUP = {
  status: 400,
  code: 'InvalidGroup.NotFound',
  message: 'The security group does not exist',
  anyMessage: true,
};

/** Creates an object and returns its id. */
async function created(actors: Actors, type: string, written: object): Promise<string> {
  const made = await (await actors.of(type)).apply({ ...written });
  if (errorOf(made) !== '') throw new Error(errorOf(made));
  return String(made.state?.['id']);
}

const newGroup = (actors: Actors, name: string): Promise<string> =>
  created(actors, 'aws_security_group', { name });

const associationState: WaitRule['show'] = (body, state) =>
  body
    .replaceAll(/<associationState>.*?<\/associationState>/gs, '')
    .replaceAll(
      '</routeTableAssociationId>',
      `</routeTableAssociationId><associationState><state>${state}</state>${state === 'failed' ? '<statusMessage>The route table is full</statusMessage>' : ''}</associationState>`,
    );

/** Values of attributes that EC2 shows a while after they were set. */
function attribute(about: string, operation: string): Pick<WaitRule, 'operation' | 'about'> {
  return { operation, about };
}

/** Resource types of networks. */
export const VPC: ServiceRules = {
  service: 'VPC',
  types: [
    {
      type: 'aws_vpc',
      sources: [{ file: 'ec2/vpc_.go', commit: '00081ce41cc691433ac19bf42227cdabffd0454d' }, WAIT],
      subject: {
        written: () => ({ cidr_block: '10.0.0.0/16' }),
        updated: () => ({ cidr_block: '10.0.0.0/16', enable_dns_hostnames: true }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'CreateVpc',
          errors: [
            {
              status: 400,
              code: 'UnsupportedOperation',
              message:
                'The operation AllocateIpamPoolCidr is not supported. Account 1 is not monitored by IPAM ipam-1.',
            },
          ],
          limit: minutes(5),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeVpcs',
          pending: ['pending'],
          target: ['available'],
          show: xmlElement('state'),
          unexpected: { state: 'failed' },
          missing: NO_VPC,
          limit: minutes(10),
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'ec2',
          ...attribute('enableDnsHostnames', 'DescribeVpcAttribute'),
          pending: ['false'],
          target: ['true'],
          show: (body) => body.replace(/<value>true<\/value>/, '<value>false</value>'),
          delay: seconds(10),
          interval: seconds(3),
          limit: minutes(5),
        },
        ...VPC_NETWORKS,
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'DeleteVpc',
          errors: [DEPENDENT],
          limit: minutes(5),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeVpcs',
          pending: ['available'],
          target: [],
          show: xmlElement('state'),
          limit: minutes(5),
        },
      ],
    },
    {
      type: 'aws_subnet',
      sources: [
        { file: 'ec2/vpc_subnet.go', commit: '00cda125a19d31754cb0d073cf551264c57955cb' },
        INTERFACES,
        WAIT,
      ],
      subject: {
        prepare: inVpc,
        written: () => ({ cidr_block: '10.0.1.0/24' }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'CreateSubnet',
          errors: [NO_VPC],
          limit: minutes(5),
          difference: 'not retried; a new VPC may not be visible yet',
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeSubnets',
          pending: ['pending'],
          target: ['available'],
          show: xmlElement('state'),
          unexpected: { state: 'failed' },
          missing: { status: 400, code: 'InvalidSubnetID.NotFound', message: 'There is none' },
          limit: minutes(10),
        },
        ...SUBNET_NETWORKS,
        ...SUBNET_ATTRIBUTES,
        ...lingeringInterfaces(minutes(20)),
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'DeleteSubnet',
          errors: [DEPENDENT],
          limit: minutes(20),
        },
      ],
    },
    {
      type: 'aws_internet_gateway',
      sources: [
        { file: 'ec2/vpc_internet_gateway.go', commit: '08923b68b5ad6fcfdd38362fb5247e39a9b07add' },
        WAIT,
      ],
      subject: { prepare: inVpc, written: () => ({}) },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'AttachInternetGateway',
          errors: [
            {
              status: 400,
              code: 'InvalidInternetGatewayID.NotFound',
              message: 'There is none',
              anyMessage: true,
            },
          ],
          limit: minutes(20),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeInternetGateways',
          pending: ['attaching'],
          target: ['available'],
          show: xmlElement('state'),
          unexpected: { state: 'detached' },
          limit: minutes(20),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'DetachInternetGateway',
          errors: [DEPENDENT],
          limit: minutes(20),
        },
        {
          kind: 'ignore',
          step: 'delete',
          service: 'ec2',
          operation: 'DetachInternetGateway',
          errors: [{ status: 400, code: 'Gateway.NotAttached', message: 'It is not attached' }],
          limit: 0,
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeInternetGateways',
          pending: ['available', 'detaching'],
          target: [],
          show: xmlElement('state'),
          limit: minutes(20),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'DeleteInternetGateway',
          errors: [DEPENDENT],
          limit: minutes(20),
        },
      ],
    },
    {
      type: 'aws_route_table',
      sources: [WAIT],
      subject: { prepare: inVpc, written: () => ({}), updated: withRoute },
      rules: [
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeRouteTables',
          pending: [],
          target: ['ready'],
          show: (body) =>
            body.replaceAll(/<routeTableSet>.*<\/routeTableSet>/gs, '<routeTableSet/>'),
          matches: 2,
          limit: minutes(5),
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'ec2',
          operation: 'CreateRoute',
          errors: [
            {
              status: 400,
              code: 'InvalidParameterException',
              message: 'It is not ready',
              anyMessage: true,
            },
            {
              status: 400,
              code: 'InvalidTransitGatewayID.NotFound',
              message: 'There is none',
              anyMessage: true,
            },
          ],
          limit: minutes(5),
          subject: { prepare: withGateway },
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'ec2',
          operation: 'DescribeRouteTables',
          pending: ['false'],
          target: ['true'],
          show: (body) =>
            body.replaceAll(
              '<destinationCidrBlock>10.9.0.0/16<',
              '<destinationCidrBlock>10.8.0.0/16<',
            ),
          matches: 2,
          limit: minutes(5),
          subject: { prepare: withGateway },
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeRouteTables',
          after: 1,
          pending: ['ready'],
          target: [],
          show: (body) => body,
          matches: 2,
          limit: minutes(5),
        },
      ],
    },
    {
      type: 'aws_route_table_association',
      sources: [WAIT],
      subject: {
        prepare: async (actors) => {
          const { vpc_id } = await inVpc(actors);
          return {
            subnet_id: await created(actors, 'aws_subnet', { vpc_id, cidr_block: '10.0.1.0/24' }),
            route_table_id: await created(actors, 'aws_route_table', { vpc_id }),
          };
        },
        written: () => ({}),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'AssociateRouteTable',
          errors: [
            {
              status: 400,
              code: 'InvalidRouteTableID.NotFound',
              message: 'There is none',
              anyMessage: true,
            },
          ],
          limit: minutes(5),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeRouteTables',
          pending: ['associating'],
          target: ['associated'],
          show: associationState,
          unexpected: { state: 'failed', reason: 'The route table is full' },
          limit: minutes(5),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeRouteTables',
          pending: ['associated', 'disassociating'],
          target: [],
          show: associationState,
          limit: minutes(5),
        },
      ],
    },
    {
      type: 'aws_security_group',
      sources: [
        { file: 'ec2/vpc_security_group.go', commit: '01606926a0c0ab9174aec440f976a48b0baee722' },
        INTERFACES,
        WAIT,
      ],
      subject: { prepare: inVpc, written: (name) => ({ name }) },
      rules: [
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeSecurityGroups',
          pending: [],
          target: ['exists'],
          show: (body) =>
            body.replaceAll(/<securityGroupInfo>.*<\/securityGroupInfo>/gs, '<securityGroupInfo/>'),
          matches: 3,
          limit: minutes(10),
        },
        ...lingeringInterfaces(minutes(15)),
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'DeleteSecurityGroup',
          errors: [
            DEPENDENT,
            { status: 400, code: 'InvalidGroup.InUse', message: 'It is used', anyMessage: true },
          ],
          limit: minutes(15),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeSecurityGroups',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          limit: minutes(5),
        },
      ],
    },
    ...(['aws_vpc_security_group_egress_rule', 'aws_vpc_security_group_ingress_rule'] as const).map(
      (type): TypeRules => ({
        type,
        sources: [WAIT],
        subject: {
          prepare: async (actors, name) => ({ security_group_id: await newGroup(actors, name) }),
          written: () => ({
            cidr_ipv4: '10.0.0.0/8',
            ip_protocol: 'tcp',
            from_port: 80,
            to_port: 80,
          }),
        },
        rules: [
          {
            kind: 'retry',
            step: 'create',
            service: 'ec2',
            operation: /^AuthorizeSecurityGroup(In|E)gress$/,
            label: type.endsWith('egress_rule')
              ? 'AuthorizeSecurityGroupEgress'
              : 'AuthorizeSecurityGroupIngress',
            errors: [NO_GROUP],
            limit: minutes(2),
            difference: 'not retried; a new group may not be visible yet',
          },
        ],
      }),
    ),
    {
      type: 'aws_security_group_rule',
      sources: [
        {
          file: 'ec2/vpc_security_group_rule.go',
          commit: '0d90774d0fdd40607cbf3b07cbab20b95c481163',
        },
      ],
      subject: {
        prepare: async (actors, name) => ({ security_group_id: await newGroup(actors, name) }),
        written: () => ({
          type: 'ingress',
          cidr_blocks: ['10.0.0.0/8'],
          protocol: 'tcp',
          from_port: 80,
          to_port: 80,
        }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'AuthorizeSecurityGroupIngress',
          errors: [{ ...NO_GROUP, anyMessage: false }],
          limit: minutes(2),
          difference: 'not retried; a new group may not be visible yet',
        },
      ],
    },
  ],
};
