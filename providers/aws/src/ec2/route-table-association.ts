import type { RouteTableAssociation } from '@aws-sdk/client-ec2';
import {
  exactlyOneConfigured,
  minutes,
  NotFoundError,
  type RemoteObject,
  type Resource,
  string,
  timeoutsBlock,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { given } from '../resource/only.ts';
import { filtersOf } from './filters.ts';

/** `aws_route_table_association` */
export const routeTableAssociation: Resource<Aws> = awsResource({
  type: 'EC2 Route Table Association',
  notFound: ['InvalidAssociationID.NotFound'],
  attributes: {
    ...regional,
    gateway_id: string({ optional: true, requiresReplace: true }),
    route_table_id: string({ required: true }),
    subnet_id: string({ optional: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '5m', update: '2m', delete: '5m' }) },
  validators: [exactlyOneConfigured('gateway_id', 'subnet_id')],

  async create({ aws, object, plan }) {
    const { AssociationId } = await object.operation(
      'creating',
      () =>
        aws.ec2.associateRouteTable({
          RouteTableId: plan.route_table_id,
          ...given({ GatewayId: plan.gateway_id, SubnetId: plan.subnet_id }),
        }),
      { isRetryable: (error) => hasCode(error, 'InvalidRouteTableID.NotFound') },
    );
    return AssociationId ?? '';
  },

  async created({ aws, object, id, timeout }) {
    await associated(aws, object, id, timeout);
  },

  find: ({ aws, id }) => associationById(aws, id),

  read: (found) => ({
    gateway_id: found.GatewayId,
    route_table_id: found.RouteTableId,
    subnet_id: found.SubnetId,
  }),

  // With another table it is another association.
  plan: ({ state, changed }) =>
    state !== null && changed('route_table_id') ? { id: unknown() } : undefined,

  async update({ aws, object, plan, id, timeout }) {
    const { NewAssociationId = '' } = await aws.ec2.replaceRouteTableAssociation({
      AssociationId: id,
      RouteTableId: plan.route_table_id,
    });
    await associated(aws, object.as(NewAssociationId), NewAssociationId, timeout);
    return NewAssociationId;
  },

  async delete({ aws, object, id, timeout }) {
    await aws.ec2.disassociateRouteTable({ AssociationId: id });
    await object.waitForDeletion({
      pending: ['associated', 'disassociating'],
      timeout,
      refresh: async () => {
        const result = await associationById(aws, id);
        return { result, state: result.AssociationState?.State ?? 'associated' };
      },
    });
  },

  /** "subnet-1/rtb-1" */
  async import(id, aws) {
    const [target = '', table = ''] = id.split('/');
    const { RouteTables = [] } = await aws.ec2.describeRouteTables({ RouteTableIds: [table] });
    const found = RouteTables[0]?.Associations?.find(
      ({ SubnetId, GatewayId }) => SubnetId === target || GatewayId === target,
    );
    return { id: found?.RouteTableAssociationId ?? id };
  },
});

async function associated(
  aws: RegionalAws,
  association: RemoteObject,
  id: string,
  timeout: number,
): Promise<void> {
  await association.waitFor('creation', {
    pending: ['associating'],
    target: ['associated'],
    timeout: Math.min(timeout, minutes(5)),
    refresh: async () => {
      const result = await associationById(aws, id);
      return { result, state: result.AssociationState?.State ?? 'associated' };
    },
  });
}

async function associationById(aws: RegionalAws, id: string): Promise<RouteTableAssociation> {
  const { RouteTables = [] } = await aws.ec2.describeRouteTables({
    Filters: filtersOf({ 'association.route-table-association-id': id }),
  });
  const found = RouteTables.flatMap(({ Associations = [] }) => Associations).find(
    ({ RouteTableAssociationId }) => RouteTableAssociationId === id,
  );
  if (found === undefined || found.AssociationState?.State === 'disassociated') {
    throw new NotFoundError({ message: 'empty result' });
  }
  return found;
}
