import type { Address, AllocateAddressRequest } from '@aws-sdk/client-ec2';
import {
  type RemoteObject,
  type Resource,
  string,
  timeoutsBlock,
  type Unknown,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { notSent } from '../resource/amazon-form.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, computedTexts, regional, tagged } from '../resource/common-attributes.ts';
import { omitUnset, only } from '../resource/only.ts';
import { associateAddress, disassociateAddress } from './associate-address.ts';
import { dnsName } from './dns-name.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { oneOf } from '../resource/validators.ts';

const replacing = { optional: true, computed: true, requiresReplace: true } as const;

/** `aws_eip` */
export const eip: Resource<Aws> = awsResource({
  type: 'EC2 EIP',
  notFound: ['InvalidAllocationID.NotFound', 'InvalidAddress.NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    ...computedTexts('allocation_id', 'association_id', 'carrier_ip', 'customer_owned_ip'),
    ...computedTexts('private_dns', 'private_ip', 'ptr_record', 'public_dns', 'public_ip'),
    address: string({ optional: true, requiresReplace: true }),
    associate_with_private_ip: string({ optional: true }),
    customer_owned_ipv4_pool: string({ optional: true, requiresReplace: true }),
    domain: string({ ...replacing, validators: [oneOf('vpc', 'standard')] }),
    instance: string({ optional: true, computed: true }),
    ipam_pool_id: string(replacing),
    network_border_group: string(replacing),
    network_interface: string({ optional: true, computed: true }),
    public_ipv4_pool: string(replacing),
  },
  blocks: { timeouts: timeoutsBlock({ read: '15m', update: '5m', delete: '3m' }) },

  // The association is described by separate requests.
  amazon: notSent('address', 'associate_with_private_ip', 'instance', 'network_interface'),

  async create({ aws, plan, request, tags }) {
    const TagSpecifications = tagSpecifications('elastic-ip', tags);
    const requestInput = request<AllocateAddressRequest>({ Domain: 'vpc', TagSpecifications });
    const answer = await aws.ec2.allocateAddress({
      ...requestInput,
      ...omitUnset({ Address: plan.address }),
    });
    return answer.AllocationId ?? '';
  },

  async created({ aws, object, plan, id }) {
    await associate(aws, object, id, plan);
  },

  find: ({ aws, id }) => addressById(aws, id),

  read: (address, { aws, id }) => ({
    arn: aws.arn('ec2', `elastic-ip/${id}`),
    domain: address.Domain ?? 'vpc',
    instance: address.InstanceId ?? '',
    network_interface: address.NetworkInterfaceId ?? '',
    private_dns: address.PrivateIpAddress ? dnsName(aws, 'ip', address.PrivateIpAddress) : '',
    private_ip: address.PrivateIpAddress ?? '',
    public_dns: address.PublicIp ? dnsName(aws, 'ec2', address.PublicIp) : '',
  }),

  async update({ aws, object, plan, state, changed, id }) {
    if (!changed('instance', 'network_interface', 'associate_with_private_ip')) return;
    await disassociateAddress(aws, state.association_id);
    await associate(aws, object, id, plan);
  },

  retag: ec2Retag,

  async delete({ aws, object, state, id, timeout }) {
    await disassociateAddress(aws, state.association_id);
    const used = again(['AuthFailure', 'InvalidIPAddress.InUse'], timeout);
    await object.operation('releasing', () => aws.ec2.releaseAddress({ AllocationId: id }), used);
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
  plan: { readonly associate_with_private_ip: string | null } & {
    readonly [K in 'instance' | 'network_interface']: string | Unknown | null;
  },
): Promise<void> {
  const target = omitUnset({
    InstanceId: plan.instance,
    NetworkInterfaceId: plan.network_interface,
  });
  if (Object.keys(target).length === 0) return;
  const { PrivateIpAddress } = omitUnset({ PrivateIpAddress: plan.associate_with_private_ip });
  await associateAddress(aws, address, { AllocationId, ...target, PrivateIpAddress });
  await address.waitForValue('association', {
    read: () => addressById(aws, AllocationId),
    value: (address) => address.AssociationId !== undefined,
    expected: true,
  });
}
