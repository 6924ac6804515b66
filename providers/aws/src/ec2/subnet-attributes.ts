import type {
  HostnameType,
  ModifySubnetAttributeRequest,
  Subnet,
  SubnetCidrBlockState,
} from '@aws-sdk/client-ec2';
import {
  isUnknown,
  minutes,
  type Observed,
  type RemoteObject,
  type Unknown,
} from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { only } from '../resource/only.ts';
import { ATTRIBUTE_WAIT } from './consts.ts';

/** Arguments of an existing subnet that are set one by one. */
export interface SubnetAttributes {
  readonly assign_ipv6_address_on_creation: boolean;
  readonly customer_owned_ipv4_pool: string | null;
  readonly enable_dns64: boolean;
  readonly enable_lni_at_device_index: number | null;
  readonly enable_resource_name_dns_a_record_on_launch: boolean;
  readonly enable_resource_name_dns_aaaa_record_on_launch: boolean;
  readonly map_customer_owned_ip_on_launch: boolean | null;
  readonly map_public_ip_on_launch: boolean;
  readonly private_dns_hostname_type_on_launch: string | Unknown;
}

/** A change of one attribute, which requires a separate request. */
interface AttributeChange {
  readonly name: keyof SubnetAttributes;
  readonly request: Omit<ModifySubnetAttributeRequest, 'SubnetId'>;
  /** the value that EC2 shows when the change has arrived, and where it is */
  readonly expected: boolean | number | string;
  readonly value: (subnet: Subnet) => boolean | number | string;
}

/**
 * Sets the attributes that differ from `before`, by default from those of a new subnet. Each is waited for, as EC2 shows a
 * change late and inconsistently.
 */
export async function setSubnetAttributes(
  aws: RegionalAws,
  subnet: RemoteObject,
  id: string,
  plan: SubnetAttributes,
  before: SubnetAttributes | undefined,
): Promise<void> {
  const previous = before ?? NEW;
  for (const { name, request, expected, value } of changesOf(plan, previous)) {
    await subnet.operation(`updating ${Object.keys(request).join(' and ')} of`, () =>
      aws.ec2.modifySubnetAttribute({ SubnetId: id, ...request }),
    );
    await subnet.waitForValue(name, {
      read: async () => only((await aws.ec2.describeSubnets({ SubnetIds: [id] })).Subnets),
      value,
      expected,
      ...ATTRIBUTE_WAIT,
    });
  }
}

/** Returns the changes from one set of attributes to another, in the order that EC2 requires. */
function changesOf(plan: SubnetAttributes, was: SubnetAttributes): readonly AttributeChange[] {
  const names = (subnet: Subnet) => subnet.PrivateDnsNameOptionsOnLaunch;
  const switches: readonly AttributeChange[] = [
    {
      name: 'assign_ipv6_address_on_creation',
      request: { AssignIpv6AddressOnCreation: { Value: plan.assign_ipv6_address_on_creation } },
      expected: plan.assign_ipv6_address_on_creation,
      value: (subnet) => subnet.AssignIpv6AddressOnCreation ?? false,
    },
    ...customerAddresses(plan),
    {
      name: 'enable_dns64',
      request: { EnableDns64: { Value: plan.enable_dns64 } },
      expected: plan.enable_dns64,
      value: (subnet) => subnet.EnableDns64 ?? false,
    },
    localInterface(plan),
    {
      name: 'enable_resource_name_dns_a_record_on_launch',
      request: {
        EnableResourceNameDnsARecordOnLaunch: {
          Value: plan.enable_resource_name_dns_a_record_on_launch,
        },
      },
      expected: plan.enable_resource_name_dns_a_record_on_launch,
      value: (subnet) => names(subnet)?.EnableResourceNameDnsARecord ?? false,
    },
    {
      name: 'enable_resource_name_dns_aaaa_record_on_launch',
      request: {
        EnableResourceNameDnsAAAARecordOnLaunch: {
          Value: plan.enable_resource_name_dns_aaaa_record_on_launch,
        },
      },
      expected: plan.enable_resource_name_dns_aaaa_record_on_launch,
      value: (subnet) => names(subnet)?.EnableResourceNameDnsAAAARecord ?? false,
    },
    {
      name: 'map_public_ip_on_launch',
      request: { MapPublicIpOnLaunch: { Value: plan.map_public_ip_on_launch } },
      expected: plan.map_public_ip_on_launch,
      value: (subnet) => subnet.MapPublicIpOnLaunch ?? false,
    },
    ...hostnameType(plan),
  ];
  return switches.filter(({ name }) => (plan[name] ?? '') !== (was[name] ?? ''));
}

/** The pool of the customer's own addresses is set together with its use. */
function customerAddresses(plan: SubnetAttributes): readonly AttributeChange[] {
  const { customer_owned_ipv4_pool: pool, map_customer_owned_ip_on_launch: map } = plan;
  if (pool === null || pool === '') return [];
  const expected = map ?? false;
  return [
    {
      name: 'map_customer_owned_ip_on_launch',
      request: { CustomerOwnedIpv4Pool: pool, MapCustomerOwnedIpOnLaunch: { Value: expected } },
      expected,
      value: (subnet) => subnet.MapCustomerOwnedIpOnLaunch ?? false,
    },
  ];
}

function localInterface({ enable_lni_at_device_index: index }: SubnetAttributes): AttributeChange {
  return {
    name: 'enable_lni_at_device_index',
    request:
      index === null || index === 0
        ? { DisableLniAtDeviceIndex: { Value: true } }
        : { EnableLniAtDeviceIndex: index },
    expected: index ?? 0,
    value: (subnet) => subnet.EnableLniAtDeviceIndex ?? 0,
  };
}

function hostnameType(plan: SubnetAttributes): readonly AttributeChange[] {
  const type = plan.private_dns_hostname_type_on_launch;
  if (isUnknown(type) || type === '' || !isHostnameType(type)) return [];
  return [
    {
      name: 'private_dns_hostname_type_on_launch',
      request: { PrivateDnsHostnameTypeOnLaunch: type },
      expected: type,
      value: (subnet) => subnet.PrivateDnsNameOptionsOnLaunch?.HostnameType ?? '',
    },
  ];
}

function isHostnameType(text: string): text is HostnameType {
  return text === 'ip-name' || text === 'resource-name';
}

const NEW: SubnetAttributes = {
  assign_ipv6_address_on_creation: false,
  customer_owned_ipv4_pool: null,
  enable_dns64: false,
  enable_lni_at_device_index: null,
  enable_resource_name_dns_a_record_on_launch: false,
  enable_resource_name_dns_aaaa_record_on_launch: false,
  map_customer_owned_ip_on_launch: null,
  map_public_ip_on_launch: false,
  private_dns_hostname_type_on_launch: '',
};

/** Replaces the IPv6 network of a subnet; without `cidr`, the subnet has none afterwards. */
export async function setSubnetIpv6(
  aws: RegionalAws,
  subnet: RemoteObject,
  id: string,
  before: string,
  cidr: string | null,
): Promise<void> {
  if (before !== '') {
    await aws.ec2.disassociateSubnetCidrBlock({ AssociationId: before });
    await subnet.waitForDeletion({
      pending: ['associated', 'disassociating', 'failing'],
      ...ipv6Wait(aws, id, before),
    });
  }
  if (cidr === null || cidr === '') return;
  const answer = await aws.ec2.associateSubnetCidrBlock({ SubnetId: id, Ipv6CidrBlock: cidr });
  await waitForIpv6(aws, subnet, id, answer.Ipv6CidrBlockAssociation?.AssociationId ?? '');
}

/** Waits for the IPv6 networks of a new subnet, which are associated after it is available. */
export async function newSubnetIpv6(
  aws: RegionalAws,
  subnet: RemoteObject,
  id: string,
  { Ipv6CidrBlockAssociationSet = [] }: Subnet,
): Promise<void> {
  for (const { AssociationId = '', Ipv6CidrBlockState } of Ipv6CidrBlockAssociationSet) {
    if (Ipv6CidrBlockState?.State !== 'associating') continue;
    await waitForIpv6(aws, subnet, id, AssociationId);
  }
}

async function waitForIpv6(
  aws: RegionalAws,
  subnet: RemoteObject,
  id: string,
  association: string,
): Promise<void> {
  await subnet.waitFor('association of its IPv6 network', {
    pending: ['associating', 'disassociated', 'failing'],
    target: ['associated'],
    ...ipv6Wait(aws, id, association),
  });
}

/** Polls the association of an IPv6 network; a missing or disassociated one counts as not found. */
function ipv6Wait(aws: RegionalAws, id: string, association: string) {
  return {
    timeout: minutes(3),
    reason: ({ StatusMessage }: SubnetCidrBlockState): string | undefined => StatusMessage,
    refresh: async (): Promise<Observed<SubnetCidrBlockState> | undefined> => {
      const { Subnets } = await aws.ec2.describeSubnets({ SubnetIds: [id] });
      const ipv6Association = only(Subnets).Ipv6CidrBlockAssociationSet?.find(
        ({ AssociationId }) => AssociationId === association,
      )?.Ipv6CidrBlockState;
      if (ipv6Association === undefined || ipv6Association.State === 'disassociated')
        return undefined;
      return { result: ipv6Association, state: ipv6Association.State ?? '' };
    },
  };
}
