import type { Route, RouteTable } from '@aws-sdk/client-ec2';
import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { omitUnset, only } from '../resource/only.ts';
import { PROPAGATION } from './consts.ts';

/** A route that is written in its table. */
export interface InlineRoute {
  readonly carrier_gateway_id: string | null;
  readonly cidr_block: string | null;
  readonly core_network_arn: string | null;
  readonly destination_prefix_list_id: string | null;
  readonly egress_only_gateway_id: string | null;
  readonly gateway_id: string | null;
  readonly ipv6_cidr_block: string | null;
  readonly local_gateway_id: string | null;
  readonly nat_gateway_id: string | null;
  readonly network_interface_id: string | null;
  readonly transit_gateway_id: string | null;
  readonly vpc_endpoint_id: string | null;
  readonly vpc_peering_connection_id: string | null;
}

/** An empty route. */
export const EMPTY_ROUTE: { readonly [K in keyof InlineRoute]: string } = {
  carrier_gateway_id: '',
  cidr_block: '',
  core_network_arn: '',
  destination_prefix_list_id: '',
  egress_only_gateway_id: '',
  gateway_id: '',
  ipv6_cidr_block: '',
  local_gateway_id: '',
  nat_gateway_id: '',
  network_interface_id: '',
  transit_gateway_id: '',
  vpc_endpoint_id: '',
  vpc_peering_connection_id: '',
};

/** The target of routes within the VPC. */
const LOCAL = 'local';

/** Returns the routes of a table, without implicit ones, unless they are in `written`. */
export function routesOf(
  table: RouteTable,
  written: readonly InlineRoute[],
): readonly InlineRoute[] {
  return (table.Routes ?? []).flatMap((route) => {
    const { GatewayId = '', Origin, DestinationPrefixListId } = route;
    if (Origin === 'EnableVgwRoutePropagation') return [];
    if (DestinationPrefixListId !== undefined && GatewayId.startsWith('vpce-')) return [];
    const flat = inlineRoute(route);
    const known = written.some((each) => destinationOf(each) === destinationOf(flat));
    return GatewayId === LOCAL && !known ? [] : [flat];
  });
}

function inlineRoute(route: Route): InlineRoute {
  const gateway = route.GatewayId ?? '';
  const endpoint = gateway.startsWith('vpce-');
  return {
    carrier_gateway_id: route.CarrierGatewayId ?? '',
    cidr_block: route.DestinationCidrBlock ?? '',
    core_network_arn: route.CoreNetworkArn ?? '',
    destination_prefix_list_id: route.DestinationPrefixListId ?? '',
    egress_only_gateway_id: route.EgressOnlyInternetGatewayId ?? '',
    gateway_id: endpoint ? '' : gateway,
    ipv6_cidr_block: route.DestinationIpv6CidrBlock ?? '',
    local_gateway_id: route.LocalGatewayId ?? '',
    nat_gateway_id: route.NatGatewayId ?? '',
    network_interface_id: route.NetworkInterfaceId ?? '',
    transit_gateway_id: route.TransitGatewayId ?? '',
    vpc_endpoint_id: endpoint ? gateway : '',
    vpc_peering_connection_id: route.VpcPeeringConnectionId ?? '',
  };
}

/** Returns the destination of a route, which identifies it within its table. */
function destinationOf(route: InlineRoute): string {
  return route.cidr_block || route.ipv6_cidr_block || route.destination_prefix_list_id || '';
}

function destination(route: InlineRoute) {
  return omitUnset({
    DestinationCidrBlock: route.cidr_block,
    DestinationIpv6CidrBlock: route.ipv6_cidr_block,
    DestinationPrefixListId: route.destination_prefix_list_id,
  });
}

function request(table: string, route: InlineRoute) {
  return {
    RouteTableId: table,
    ...destination(route),
    ...omitUnset({
      CarrierGatewayId: route.carrier_gateway_id,
      CoreNetworkArn: route.core_network_arn,
      EgressOnlyInternetGatewayId: route.egress_only_gateway_id,
      GatewayId: route.gateway_id,
      LocalGatewayId: route.local_gateway_id,
      NatGatewayId: route.nat_gateway_id,
      NetworkInterfaceId: route.network_interface_id,
      TransitGatewayId: route.transit_gateway_id,
      VpcEndpointId: route.vpc_endpoint_id,
      VpcPeeringConnectionId: route.vpc_peering_connection_id,
    }),
  };
}

/** Updates the routes of a table. */
export async function changeRoutes(
  aws: RegionalAws,
  table: RemoteObject,
  id: string,
  before: readonly InlineRoute[],
  after: readonly InlineRoute[],
): Promise<void> {
  const previous = new Map(before.map((route) => [destinationOf(route), route]));
  const desired = new Map(after.map((route) => [destinationOf(route), route]));
  for (const [to, route] of previous) {
    if (desired.has(to) || route.gateway_id === LOCAL) continue;
    await table.operation(`deleting the route to ${to} of`, async () => {
      try {
        await aws.ec2.deleteRoute({ RouteTableId: id, ...destination(route) });
      } catch (error) {
        if (!hasCode(error, 'InvalidRoute.NotFound')) throw error;
      }
    });
    await waitForRoute(aws, table, id, route, false);
  }
  for (const [to, route] of desired) {
    const old = previous.get(to);
    if (JSON.stringify(old && request(id, old)) === JSON.stringify(request(id, route))) continue;
    const local = route.gateway_id === LOCAL;
    if (local && old === undefined) continue;
    // The target may be new.
    await table.operation(
      `setting the route to ${to} of`,
      () =>
        old === undefined
          ? aws.ec2.createRoute(request(id, route))
          : aws.ec2.replaceRoute(
              local ? { ...destinationOnly(id, route), LocalTarget: true } : request(id, route),
            ),
      {
        isRetryable: (error) =>
          hasCode(error, 'InvalidParameterException', 'InvalidTransitGatewayID.NotFound'),
        propagation: PROPAGATION,
      },
    );
    await waitForRoute(aws, table, id, route, true);
  }
}

/** Waits until a table has a route, or does not have it any more. */
async function waitForRoute(
  aws: RegionalAws,
  table: RemoteObject,
  id: string,
  route: InlineRoute,
  expected: boolean,
): Promise<void> {
  const to = destinationOf(route);
  await table.waitForValue(`route to ${to}`, {
    read: async () =>
      only((await aws.ec2.describeRouteTables({ RouteTableIds: [id] })).RouteTables),
    value: (table) => routesOf(table, [route]).some((each) => destinationOf(each) === to),
    expected,
    timeout: PROPAGATION,
    continuousTargetOccurrences: 2,
  });
}

function destinationOnly(table: string, route: InlineRoute) {
  return { RouteTableId: table, ...destination(route) };
}
