import { bool, ifKnown, minutes, type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { given, only } from '../resource/only.ts';
import { filtersOf } from './filters.ts';

/** `aws_eip_association` */
export const eipAssociation: Resource<Aws> = awsResource({
  type: 'EC2 EIP Association',
  notFound: ['InvalidAssociationID.NotFound'],
  attributes: {
    ...regional,
    allocation_id: string({ optional: true, computed: true, requiresReplace: true }),
    allow_reassociation: bool({ optional: true, requiresReplace: true }),
    instance_id: string({ optional: true, computed: true, requiresReplace: true }),
    network_interface_id: string({ optional: true, computed: true, requiresReplace: true }),
    private_ip_address: string({ optional: true, computed: true, requiresReplace: true }),
    public_ip: string({ optional: true, computed: true, requiresReplace: true }),
  },
  label: ({ allocation_id }) => ifKnown(allocation_id) ?? 'new',

  async create({ aws, object, plan }) {
    const { AssociationId } = await object.operation(
      'creating',
      () =>
        aws.ec2.associateAddress(
          given({
            AllocationId: plan.allocation_id,
            AllowReassociation: plan.allow_reassociation,
            InstanceId: plan.instance_id,
            NetworkInterfaceId: plan.network_interface_id,
            PrivateIpAddress: plan.private_ip_address,
            PublicIp: plan.public_ip,
          }),
        ),
      { isRetryable: (error) => hasCode(error, 'InvalidInstanceID'), propagation: minutes(5) },
    );
    return AssociationId ?? '';
  },

  async find({ aws, id }) {
    const { Addresses } = await aws.ec2.describeAddresses({
      Filters: filtersOf({ 'association-id': id }),
    });
    return only(Addresses);
  },

  read: (found) => ({
    allocation_id: found.AllocationId ?? '',
    instance_id: found.InstanceId ?? '',
    network_interface_id: found.NetworkInterfaceId ?? '',
    private_ip_address: found.PrivateIpAddress ?? '',
    public_ip: found.PublicIp ?? '',
  }),

  async delete({ aws, id }) {
    await aws.ec2.disassociateAddress({ AssociationId: id });
  },
});
