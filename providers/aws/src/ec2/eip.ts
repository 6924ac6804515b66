import type { Address } from '@aws-sdk/client-ec2';
import {
  conflicting,
  ifKnown,
  minutes,
  type RemoteObject,
  type Resource,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { given, only } from '../resource/only.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';

/** `aws_eip` */
export const eip: Resource<Aws> = awsResource({
  type: 'EC2 EIP',
  notFound: ['InvalidAllocationID.NotFound', 'InvalidAddress.NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    address: string({ optional: true, requiresReplace: true }),
    allocation_id: string({ computed: true }),
    associate_with_private_ip: string({ optional: true }),
    association_id: string({ computed: true }),
    carrier_ip: string({ computed: true }),
    customer_owned_ip: string({ computed: true }),
    customer_owned_ipv4_pool: string({ optional: true, requiresReplace: true }),
    domain: string({ optional: true, computed: true, requiresReplace: true }),
    instance: string({ optional: true, computed: true }),
    ipam_pool_id: string({ optional: true, computed: true, requiresReplace: true }),
    network_border_group: string({ optional: true, computed: true, requiresReplace: true }),
    network_interface: string({ optional: true, computed: true }),
    private_dns: string({ computed: true }),
    private_ip: string({ computed: true }),
    ptr_record: string({ computed: true }),
    public_dns: string({ computed: true }),
    public_ip: string({ computed: true }),
    public_ipv4_pool: string({ optional: true, computed: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ read: '15m', update: '5m', delete: '3m' }) },
  validators: [conflicting('instance', 'network_interface')],

  async create({ aws, plan, tags }) {
    const { AllocationId } = await aws.ec2.allocateAddress({
      Domain: 'vpc',
      TagSpecifications: tagSpecifications('elastic-ip', tags),
      ...given({
        Address: plan.address,
        CustomerOwnedIpv4Pool: plan.customer_owned_ipv4_pool,
        IpamPoolId: plan.ipam_pool_id,
        NetworkBorderGroup: plan.network_border_group,
        PublicIpv4Pool: plan.public_ipv4_pool,
      }),
    });
    return AllocationId ?? '';
  },

  async created({ aws, object, plan, id }) {
    const to = { instance: ifKnown(plan.instance), network: ifKnown(plan.network_interface) };
    await associate(aws, object, id, { ...to, privateIp: plan.associate_with_private_ip });
  },

  find: ({ aws, id }) => addressById(aws, id),

  read: (found, { aws, id }) => ({
    arn: aws.arn('ec2', `elastic-ip/${id}`),
    allocation_id: found.AllocationId ?? '',
    association_id: found.AssociationId ?? '',
    carrier_ip: found.CarrierIp ?? '',
    customer_owned_ip: found.CustomerOwnedIp ?? '',
    customer_owned_ipv4_pool: found.CustomerOwnedIpv4Pool,
    domain: found.Domain ?? 'vpc',
    instance: found.InstanceId ?? '',
    ipam_pool_id: '',
    network_border_group: found.NetworkBorderGroup ?? '',
    network_interface: found.NetworkInterfaceId ?? '',
    private_dns: found.PrivateIpAddress ? dnsName(aws, 'ip', found.PrivateIpAddress) : '',
    private_ip: found.PrivateIpAddress ?? '',
    ptr_record: '',
    public_dns: found.PublicIp ? dnsName(aws, 'ec2', found.PublicIp) : '',
    public_ip: found.PublicIp ?? '',
    public_ipv4_pool: found.PublicIpv4Pool ?? '',
    tags: found.Tags ?? [],
  }),

  async update({ aws, object, plan, state, changed, id }) {
    if (!changed('instance', 'network_interface', 'associate_with_private_ip')) return;
    await disassociate(aws, state.association_id);
    const to = { instance: ifKnown(plan.instance), network: ifKnown(plan.network_interface) };
    await associate(aws, object, id, { ...to, privateIp: plan.associate_with_private_ip });
  },

  retag: ec2Retag,

  async delete({ aws, object, state, id, timeout }) {
    await disassociate(aws, state.association_id);
    await object.operation('releasing', () => aws.ec2.releaseAddress({ AllocationId: id }), {
      isRetryable: (error) => hasCode(error, 'AuthFailure', 'InvalidIPAddress.InUse'),
      propagation: timeout,
    });
  },
});

async function addressById(aws: RegionalAws, id: string): Promise<Address> {
  const { Addresses } = await aws.ec2.describeAddresses({ AllocationIds: [id] });
  return only(Addresses);
}

async function associate(
  aws: RegionalAws,
  address: RemoteObject,
  AllocationId: string,
  to: {
    readonly instance: string | undefined;
    readonly network: string | undefined;
    readonly privateIp: string | null;
  },
): Promise<void> {
  const target = given({ InstanceId: to.instance, NetworkInterfaceId: to.network });
  if (Object.keys(target).length === 0) return;
  await address.operation(
    'associating',
    () =>
      aws.ec2.associateAddress({
        AllocationId,
        ...target,
        ...given({ PrivateIpAddress: to.privateIp }),
      }),
    {
      // An instance takes addresses when it has begun to run.
      isRetryable: (error) => hasCode(error, 'InvalidInstanceID', 'InvalidAllocationID.NotFound'),
      propagation: minutes(5),
    },
  );
  await address.waitForValue('association', {
    read: () => addressById(aws, AllocationId),
    value: (found) => found.AssociationId !== undefined,
    expected: true,
  });
}

async function disassociate(aws: RegionalAws, association: string): Promise<void> {
  if (association === '') return;
  try {
    await aws.ec2.disassociateAddress({ AssociationId: association });
  } catch (error) {
    if (!hasCode(error, 'InvalidAssociationID.NotFound')) throw error;
  }
}

/** The name of an address, from which EC2 resolves it. */
function dnsName({ region, partition }: RegionalAws, kind: 'ip' | 'ec2', address: string): string {
  const dashed = address.replaceAll('.', '-');
  if (kind === 'ec2') {
    const zone = region === 'us-east-1' ? 'compute-1' : `${region}.compute`;
    return `ec2-${dashed}.${zone}.${partition.dnsSuffix}`;
  }
  return `ip-${dashed}.${region === 'us-east-1' ? 'ec2' : `${region}.compute`}.internal`;
}
