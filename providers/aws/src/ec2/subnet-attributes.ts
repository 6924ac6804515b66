import type { HostnameType, ModifySubnetAttributeRequest } from '@aws-sdk/client-ec2';
import { isUnknown, minutes, type RemoteObject, type Unknown } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { only } from '../resource/only.ts';
import { ATTRIBUTE_WAIT } from './consts.ts';

/** Arguments of a subnet that are set one by one when it is there. */
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

/** Sets what differs from what was; undefined: from what a new subnet has. Each takes a request of its own. */
export async function setSubnetAttributes(
  aws: RegionalAws,
  subnet: RemoteObject,
  id: string,
  plan: SubnetAttributes,
  before: SubnetAttributes | undefined,
): Promise<void> {
  const was = before ?? NEW;
  const requests: Omit<ModifySubnetAttributeRequest, 'SubnetId'>[] = [];
  const flag = (
    name: keyof SubnetAttributes,
    request: Omit<ModifySubnetAttributeRequest, 'SubnetId'>,
  ) => {
    if ((plan[name] ?? false) !== (was[name] ?? false)) requests.push(request);
  };
  flag('assign_ipv6_address_on_creation', {
    AssignIpv6AddressOnCreation: { Value: plan.assign_ipv6_address_on_creation },
  });
  // The pool of the customer's own addresses and their use are set together.
  const pool = plan.customer_owned_ipv4_pool;
  if (pool !== null && pool !== '') {
    const request = {
      CustomerOwnedIpv4Pool: pool,
      MapCustomerOwnedIpOnLaunch: { Value: plan.map_customer_owned_ip_on_launch ?? false },
    };
    flag('map_customer_owned_ip_on_launch', request);
  }
  flag('enable_dns64', { EnableDns64: { Value: plan.enable_dns64 } });
  const index = plan.enable_lni_at_device_index;
  if (index !== null && index !== 0) {
    flag('enable_lni_at_device_index', { EnableLniAtDeviceIndex: index });
  } else if ((was.enable_lni_at_device_index ?? 0) !== 0) {
    requests.push({ DisableLniAtDeviceIndex: { Value: true } });
  }
  flag('enable_resource_name_dns_a_record_on_launch', {
    EnableResourceNameDnsARecordOnLaunch: {
      Value: plan.enable_resource_name_dns_a_record_on_launch,
    },
  });
  flag('enable_resource_name_dns_aaaa_record_on_launch', {
    EnableResourceNameDnsAAAARecordOnLaunch: {
      Value: plan.enable_resource_name_dns_aaaa_record_on_launch,
    },
  });
  flag('map_public_ip_on_launch', {
    MapPublicIpOnLaunch: { Value: plan.map_public_ip_on_launch },
  });
  const type = plan.private_dns_hostname_type_on_launch;
  if (!isUnknown(type) && type !== '' && isHostnameType(type)) {
    flag('private_dns_hostname_type_on_launch', { PrivateDnsHostnameTypeOnLaunch: type });
  }
  for (const request of requests) {
    await subnet.operation(`updating ${Object.keys(request).join(' and ')} of`, () =>
      aws.ec2.modifySubnetAttribute({ SubnetId: id, ...request }),
    );
  }
  const on = plan.map_public_ip_on_launch;
  if (on === was.map_public_ip_on_launch) return;
  await subnet.waitForValue('map_public_ip_on_launch', {
    read: async () => only((await aws.ec2.describeSubnets({ SubnetIds: [id] })).Subnets),
    value: ({ MapPublicIpOnLaunch = false }) => MapPublicIpOnLaunch,
    expected: on,
    ...ATTRIBUTE_WAIT,
  });
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

/** Gives a subnet another network of IPv6, or none. */
export async function setSubnetIpv6(
  aws: RegionalAws,
  subnet: RemoteObject,
  id: string,
  before: string,
  cidr: string | null,
): Promise<void> {
  if (before !== '') {
    await aws.ec2.disassociateSubnetCidrBlock({ AssociationId: before });
    await waitForIpv6(aws, subnet, id, before, ['disassociated', 'none']);
  }
  if (cidr === null || cidr === '') return;
  const answer = await aws.ec2.associateSubnetCidrBlock({ SubnetId: id, Ipv6CidrBlock: cidr });
  const association = answer.Ipv6CidrBlockAssociation?.AssociationId ?? '';
  await waitForIpv6(aws, subnet, id, association, ['associated']);
}

async function waitForIpv6(
  aws: RegionalAws,
  subnet: RemoteObject,
  id: string,
  association: string,
  target: readonly [string, ...string[]],
): Promise<void> {
  await subnet.waitFor('change of its IPv6 network', {
    target,
    pending: ['associating', 'disassociating', 'associated', 'none'].filter(
      (state) => !target.includes(state),
    ),
    timeout: minutes(3),
    refresh: async () => {
      const { Subnets } = await aws.ec2.describeSubnets({ SubnetIds: [id] });
      const found = only(Subnets).Ipv6CidrBlockAssociationSet?.find(
        ({ AssociationId }) => AssociationId === association,
      );
      return { result: found, state: found?.Ipv6CidrBlockState?.State ?? 'none' };
    },
  });
}
