import type { RouteTable } from '@aws-sdk/client-ec2';
import { nullable, object, type Resource, set, string, timeoutsBlock } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { fillElements } from '../resource/filled.ts';
import { elementsOf, only } from '../resource/only.ts';
import { NOT_FOUND_CHECKS, PROPAGATION } from './consts.ts';
import { changeRoutes, EMPTY_ROUTE, routesOf } from './routes.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { isIpv4Network } from '../resource/text-forms.ts';
import { inside } from '../resource/validators.ts';
import { routeTables } from './lists.ts';

const text = nullable(string);

/** `aws_route_table` */
export const routeTable: Resource<Aws> = awsResource({
  type: 'EC2 Route Table',
  identity: 'id',
  list: routeTables,
  notFound: ['InvalidRouteTableID.NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    owner_id: string({ computed: true }),
    propagating_vgws: set(string, { optional: true, computed: true }),
    route: set(
      object({
        carrier_gateway_id: text,
        cidr_block: text,
        core_network_arn: text,
        destination_prefix_list_id: text,
        egress_only_gateway_id: text,
        gateway_id: text,
        ipv6_cidr_block: text,
        local_gateway_id: text,
        nat_gateway_id: text,
        network_interface_id: text,
        transit_gateway_id: text,
        vpc_endpoint_id: text,
        vpc_peering_connection_id: text,
      }),
      { optional: true, computed: true, validators: [inside('cidr_block', isIpv4Network)] },
    ),
    vpc_id: string({ required: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '5m', update: '2m', delete: '5m' }) },

  plan: ({ plan }) => ({ route: fillElements(plan.route, EMPTY_ROUTE) }),

  async create({ aws, plan, tags }) {
    const { RouteTable } = await aws.ec2.createRouteTable({
      VpcId: plan.vpc_id,
      TagSpecifications: tagSpecifications('route-table', tags),
    });
    return RouteTable?.RouteTableId ?? '';
  },

  async created({ aws, object: table, plan, id, timeout }) {
    await table.waitFor('creation', {
      target: ['ready'],
      timeout,
      continuousTargetOccurrences: 2,
      notFoundChecks: NOT_FOUND_CHECKS,
      refresh: async () => ({ result: await tableById(aws, id), state: 'ready' }),
    });
    await propagate(aws, id, [], elementsOf(plan.propagating_vgws));
    await changeRoutes(aws, table, id, [], elementsOf(plan.route));
  },

  visibleWithin: PROPAGATION,
  find: ({ aws, id }) => tableById(aws, id),

  read: (table, { aws, id, state }) => ({
    arn: aws.arn('ec2', `route-table/${id}`),
    owner_id: table.OwnerId ?? aws.accountId,
    propagating_vgws: (table.PropagatingVgws ?? []).map(({ GatewayId }) => GatewayId ?? ''),
    route: routesOf(table, state.route ?? []),
    tags: table.Tags ?? [],
    vpc_id: table.VpcId,
  }),

  async update({ aws, object: table, plan, state, id }) {
    await propagate(aws, id, state.propagating_vgws, elementsOf(plan.propagating_vgws));
    await changeRoutes(aws, table, id, state.route, elementsOf(plan.route));
  },

  retag: ec2Retag,

  async delete({ aws, object: table, id, timeout }) {
    const { Associations = [] } = await tableById(aws, id);
    for (const { RouteTableAssociationId: AssociationId, Main } of Associations) {
      if (Main !== true) await aws.ec2.disassociateRouteTable({ AssociationId });
    }
    await aws.ec2.deleteRouteTable({ RouteTableId: id });
    await table.waitForDeletion({
      pending: ['ready'],
      timeout,
      continuousTargetOccurrences: 2,
      refresh: async () => ({ result: await tableById(aws, id), state: 'ready' }),
    });
  },
});

async function tableById(aws: RegionalAws, id: string): Promise<RouteTable> {
  const { RouteTables } = await aws.ec2.describeRouteTables({ RouteTableIds: [id] });
  return only(RouteTables);
}

/** Enables route propagation of gateways. */
async function propagate(
  aws: RegionalAws,
  RouteTableId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  for (const GatewayId of before.filter((each) => !after.includes(each))) {
    await aws.ec2.disableVgwRoutePropagation({ RouteTableId, GatewayId });
  }
  for (const GatewayId of after.filter((each) => !before.includes(each))) {
    await aws.ec2.enableVgwRoutePropagation({ RouteTableId, GatewayId });
  }
}
