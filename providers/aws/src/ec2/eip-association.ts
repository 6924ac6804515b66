import { bool, ifKnown, type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { omitUnset, only } from '../resource/only.ts';
import { associateAddress, disassociateAddress } from './associate-address.ts';
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

  amazon: { allow_reassociation: null },

  create: ({ aws, object, plan, request }) =>
    associateAddress(
      aws,
      object,
      request(omitUnset({ AllowReassociation: plan.allow_reassociation })),
    ),

  async find({ aws, id }) {
    const { Addresses } = await aws.ec2.describeAddresses({
      Filters: filtersOf({ 'association-id': id }),
    });
    return only(Addresses);
  },

  delete: ({ aws, id }) => disassociateAddress(aws, id),
});
