// Attributes and IPv6 networks of subnets, which EC2 shows a while after they were set.
import { minutes, seconds } from '@terrane/provider/sdk';
import type { Written } from '@terrane/provider/testing';
import type { Actors } from '../moto-world.ts';
import { prerequisite } from './prerequisite.ts';
import type { Subject, WaitRule } from './rules.ts';
import { answersModify, putAfter, without } from './shown.ts';

const ATTRIBUTE = { delay: seconds(10), interval: seconds(3), limit: minutes(5) } as const;
const NETWORK = { cidr_block: '10.0.1.0/24' };

/** Shows an element of each subnet. */
const element =
  (name: string): WaitRule['show'] =>
  (body, state) =>
    putAfter(without(body, name), 'subnetId', `<${name}>${state}</${name}>`);

/** Shows an element of the options of private names of each subnet. */
const nameOption =
  (name: string): WaitRule['show'] =>
  (body, state) =>
    element('privateDnsNameOptionsOnLaunch')(body, `<${name}>${state}</${name}>`);

interface AttributeRule {
  readonly argument: string;
  readonly show: WaitRule['show'];
  readonly value?: string | number | boolean;
  readonly before?: string;
  readonly also?: object;
}

const ATTRIBUTES: readonly AttributeRule[] = [
  { argument: 'map_public_ip_on_launch', show: element('mapPublicIpOnLaunch') },
  { argument: 'assign_ipv6_address_on_creation', show: element('assignIpv6AddressOnCreation') },
  { argument: 'enable_dns64', show: element('enableDns64') },
  {
    argument: 'enable_lni_at_device_index',
    show: element('enableLniAtDeviceIndex'),
    value: 1,
    before: '0',
  },
  {
    argument: 'map_customer_owned_ip_on_launch',
    show: element('mapCustomerOwnedIpOnLaunch'),
    also: { customer_owned_ipv4_pool: 'ipv4pool-coip-1' },
  },
  {
    argument: 'enable_resource_name_dns_a_record_on_launch',
    show: nameOption('enableResourceNameDnsARecord'),
  },
  {
    argument: 'enable_resource_name_dns_aaaa_record_on_launch',
    show: nameOption('enableResourceNameDnsAAAARecord'),
  },
  {
    argument: 'private_dns_hostname_type_on_launch',
    show: nameOption('hostnameType'),
    value: 'resource-name',
    before: 'ip-name',
  },
];

/** Each attribute is waited for. */
export const SUBNET_ATTRIBUTES: readonly WaitRule[] = ATTRIBUTES.map(
  ({ argument, show, value = true, before = 'false', also }) => ({
    kind: 'wait',
    step: 'update',
    service: 'ec2',
    operation: 'DescribeSubnets',
    label: `DescribeSubnets, ${argument}`,
    pending: [before],
    target: [String(value)],
    show,
    ...ATTRIBUTE,
    subject: {
      updated: () => ({ ...NETWORK, ...also, [argument]: value }),
      answers: (proxy) => {
        const ModifySubnetAttribute = (body: string): string => show(body, String(value));
        answersModify(proxy, 'DescribeSubnets', { ModifySubnetAttribute });
      },
    },
  }),
);

/** The first IPv6 network of a subnet in the VPC that was made last. */
let ipv6Network = '';
const inIpv6Vpc = async (actors: Actors): Promise<{ readonly vpc_id: string }> => {
  const vpc = await prerequisite(actors, 'aws_vpc', {
    cidr_block: '10.0.0.0/16',
    assign_generated_ipv6_cidr_block: true,
  });
  ipv6Network = String(vpc['ipv6_cidr_block']).replace(/\/\d+$/, '/64');
  return { vpc_id: String(vpc['id']) };
};
const withIpv6 = (): Written => ({ ...NETWORK, ipv6_cidr_block: ipv6Network });

const REASON = 'There is no such network';
const associationState =
  (element: string): WaitRule['show'] =>
  (body, state) =>
    body.replaceAll(
      new RegExp(`<${element}>.*?</${element}>`, 'gs'),
      `<${element}><state>${state}</state><statusMessage>${REASON}</statusMessage></${element}>`,
    );

/** The test server writes the state of an association as an object. */
const answers: NonNullable<Subject['answers']> = (proxy) => {
  const change = (body: string): string =>
    body.replaceAll(/<state>\{[^<]*?: .(\w+).\}<\/state>/g, '<state>$1</state>');
  proxy.add({ service: 'ec2', operation: 'DescribeSubnets' }, { kind: 'changed', change });
};

const SUBNET_IPV6: Pick<WaitRule, 'kind' | 'service' | 'operation' | 'label' | 'limit' | 'show'> = {
  kind: 'wait',
  service: 'ec2',
  operation: 'DescribeSubnets',
  label: 'DescribeSubnets, IPv6 network',
  show: associationState('ipv6CidrBlockState'),
  limit: minutes(3),
};
const ASSOCIATING = {
  pending: ['associating', 'disassociated', 'failing'],
  target: ['associated'],
  unexpected: { state: 'failed', reason: REASON },
} as const;
const DISASSOCIATING = {
  pending: ['associated', 'disassociating', 'failing'],
  target: [],
} as const;

/** IPv6 networks of subnets are waited for. */
export const SUBNET_NETWORKS: readonly WaitRule[] = [
  {
    ...SUBNET_IPV6,
    step: 'create',
    // The first answer says which associations have to be waited for.
    pending: ['associating', 'associating', 'disassociated', 'failing'],
    target: ['associated'],
    subject: { prepare: inIpv6Vpc, written: withIpv6, answers },
  },
  {
    ...SUBNET_IPV6,
    ...ASSOCIATING,
    step: 'update',
    subject: { prepare: inIpv6Vpc, updated: withIpv6, answers },
  },
  {
    ...SUBNET_IPV6,
    ...DISASSOCIATING,
    step: 'update',
    subject: {
      prepare: inIpv6Vpc,
      written: withIpv6,
      updated: () => NETWORK,
      answers,
    },
  },
];

const VPC_IPV6: Pick<
  WaitRule,
  'kind' | 'service' | 'operation' | 'label' | 'step' | 'show' | 'delay' | 'interval'
> = {
  kind: 'wait',
  step: 'update',
  service: 'ec2',
  operation: 'DescribeVpcs',
  label: 'DescribeVpcs, IPv6 network',
  show: associationState('ipv6CidrBlockState'),
  delay: seconds(10),
  interval: seconds(5),
};
const VPC = { cidr_block: '10.0.0.0/16' };
const VPC_WITH_IPV6 = { ...VPC, assign_generated_ipv6_cidr_block: true };

/** IPv6 networks of VPCs are waited for. */
export const VPC_NETWORKS: readonly WaitRule[] = [
  {
    ...VPC_IPV6,
    ...ASSOCIATING,
    limit: minutes(10),
    subject: { updated: () => VPC_WITH_IPV6 },
  },
  {
    ...VPC_IPV6,
    ...DISASSOCIATING,
    limit: minutes(5),
    subject: { written: () => VPC_WITH_IPV6, updated: () => VPC },
  },
];
