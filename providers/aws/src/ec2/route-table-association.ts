import type { RouteTableAssociation } from '@aws-sdk/client-ec2';
import {
  NotFoundError,
  type Resource,
  string,
  timeoutsBlock,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { filtersOf } from './filters.ts';
import { exactlyOneConfigured } from '../resource/validators.ts';
import { NOT_FOUND_CHECKS, PROPAGATION } from './consts.ts';

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
  amazon: {},

  async create({ aws, object, request }) {
    const { AssociationId } = await object.operation(
      'creating',
      () => aws.ec2.associateRouteTable(request()),
      again(['InvalidRouteTableID.NotFound'], PROPAGATION),
    );
    return AssociationId ?? '';
  },

  visibleWithin: PROPAGATION,
  find: ({ aws, id }) => associationById(aws, id),

  ready: {
    pending: ['associating'],
    target: ['associated'],
    state: stateOf,
    notFoundChecks: NOT_FOUND_CHECKS,
    reason: ({ AssociationState }) => AssociationState?.StatusMessage,
  },

  // A change of the table replaces the association.
  plan: ({ state, changed }) =>
    state !== null && changed('route_table_id') ? { id: unknown() } : undefined,

  async update({ aws, id, changes }) {
    const request = changes<{ RouteTableId: string }>();
    const answer = await aws.ec2.replaceRouteTableAssociation({ ...request, AssociationId: id });
    return answer.NewAssociationId;
  },

  async delete({ aws, id }) {
    await aws.ec2.disassociateRouteTable({ AssociationId: id });
  },

  gone: { pending: ['associated', 'disassociating'], state: stateOf },

  /** "subnet-1/rtb-1" */
  async import(id, aws) {
    const [target = '', table = ''] = id.split('/');
    const { RouteTables = [] } = await aws.ec2.describeRouteTables({ RouteTableIds: [table] });
    const association = RouteTables[0]?.Associations?.find(
      ({ SubnetId, GatewayId }) => SubnetId === target || GatewayId === target,
    );
    return { id: association?.RouteTableAssociationId ?? id };
  },
});

function stateOf({ AssociationState }: RouteTableAssociation): string {
  return AssociationState?.State ?? 'associated';
}

async function associationById(aws: RegionalAws, id: string): Promise<RouteTableAssociation> {
  const { RouteTables = [] } = await aws.ec2.describeRouteTables({
    Filters: filtersOf({ 'association.route-table-association-id': id }),
  });
  const association = RouteTables.flatMap(({ Associations = [] }) => Associations).find(
    ({ RouteTableAssociationId }) => RouteTableAssociationId === id,
  );
  if (association === undefined || association.AssociationState?.State === 'disassociated') {
    throw new NotFoundError({ message: 'empty result' });
  }
  return association;
}
