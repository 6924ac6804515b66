import type {
  RRType,
  ResourceRecordSet,
  ResourceRecordSetFailover,
  ResourceRecordSetRegion,
} from '@aws-sdk/client-route-53';
import { omitUnset } from '../resource/only.ts';
import { aliasName, recordName } from './names.ts';
import { enumOf } from '../resource/enum-of.ts';

type One<T> = readonly T[];

/** A record as users write it. */
export interface RecordArguments {
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly records: readonly string[] | null;
  readonly set_identifier: string | null;
  readonly health_check_id: string | null;
  readonly multivalue_answer_routing_policy: boolean | null;
  readonly alias: One<{
    readonly name: string;
    readonly zone_id: string;
    readonly evaluate_target_health: boolean;
  }>;
  readonly cidr_routing_policy: One<{
    readonly collection_id: string;
    readonly location_name: string;
  }>;
  readonly failover_routing_policy: One<{ readonly type: string }>;
  readonly geolocation_routing_policy: One<{
    readonly continent: string | null;
    readonly country: string | null;
    readonly subdivision: string | null;
  }>;
  readonly geoproximity_routing_policy: One<{
    readonly aws_region: string | null;
    readonly bias: number | null;
    readonly local_zone_group: string | null;
    readonly coordinates: One<{ readonly latitude: string; readonly longitude: string }>;
  }>;
  readonly latency_routing_policy: One<{ readonly region: string }>;
  readonly weighted_routing_policy: One<{ readonly weight: number }>;
}

/** A record as the service has it. */
export function recordSet(record: RecordArguments, zoneName: string): ResourceRecordSet {
  const { records, type } = record;
  const [alias] = record.alias;
  const [cidr] = record.cidr_routing_policy;
  const [place] = record.geolocation_routing_policy;
  const [near] = record.geoproximity_routing_policy;
  const [coordinates] = near?.coordinates ?? [];
  const isText = type === 'TXT' || type === 'SPF';
  return {
    Name: recordName(record.name, zoneName),
    // The configured values have been validated, or come from the service.
    Type: enumOf<RRType>(type),
    ...(records !== null &&
      records.length > 0 && {
        ResourceRecords: records.map((text) => ({ Value: isText ? `"${text}"` : text })),
        ...omitUnset({ TTL: record.ttl }),
      }),
    ...(alias && {
      AliasTarget: {
        DNSName: alias.name,
        HostedZoneId: alias.zone_id,
        EvaluateTargetHealth: alias.evaluate_target_health,
      },
    }),
    ...(cidr && {
      CidrRoutingConfig: { CollectionId: cidr.collection_id, LocationName: cidr.location_name },
    }),
    ...(place && {
      GeoLocation: omitUnset({
        ContinentCode: place.continent,
        CountryCode: place.country,
        SubdivisionCode: place.subdivision,
      }),
    }),
    ...(near && {
      GeoProximityLocation: {
        ...omitUnset({ AWSRegion: near.aws_region, LocalZoneGroup: near.local_zone_group }),
        Bias: near.bias ?? 0,
        ...(coordinates && {
          Coordinates: { Latitude: coordinates.latitude, Longitude: coordinates.longitude },
        }),
      },
    }),
    ...omitUnset({
      Failover: enumOf<ResourceRecordSetFailover>(record.failover_routing_policy[0]?.type),
      HealthCheckId: record.health_check_id,
      Region: enumOf<ResourceRecordSetRegion>(record.latency_routing_policy[0]?.region),
      SetIdentifier: record.set_identifier,
      Weight: record.weighted_routing_policy[0]?.weight,
    }),
    ...(record.multivalue_answer_routing_policy === true && { MultiValueAnswer: true }),
  };
}

/** The arguments of a record of the service. */
export function recordArguments(
  recordSet: ResourceRecordSet,
): Omit<RecordArguments, 'name' | 'type'> {
  const isText = recordSet.Type === 'TXT' || recordSet.Type === 'SPF';
  const { AliasTarget: alias, CidrRoutingConfig: cidr, GeoLocation: place } = recordSet;
  const near = recordSet.GeoProximityLocation;
  const at = near?.Coordinates;
  return {
    ttl: recordSet.TTL ?? null,
    records: (recordSet.ResourceRecords ?? []).map(({ Value = '' }) =>
      isText ? Value.replace(/^"(.*)"$/s, '$1') : Value,
    ),
    set_identifier: recordSet.SetIdentifier ?? null,
    health_check_id: recordSet.HealthCheckId ?? null,
    multivalue_answer_routing_policy: recordSet.MultiValueAnswer ?? null,
    alias: optionalBlock(
      alias,
      ({ DNSName = '', HostedZoneId = '', EvaluateTargetHealth = false }) => ({
        name: aliasName(DNSName),
        zone_id: HostedZoneId,
        evaluate_target_health: EvaluateTargetHealth,
      }),
    ),
    cidr_routing_policy: optionalBlock(cidr, ({ CollectionId = '', LocationName = '' }) => ({
      collection_id: CollectionId,
      location_name: LocationName,
    })),
    failover_routing_policy: optionalBlock(recordSet.Failover, (type) => ({ type })),
    geolocation_routing_policy: optionalBlock(place, (where) => ({
      continent: where.ContinentCode ?? null,
      country: where.CountryCode ?? null,
      subdivision: where.SubdivisionCode ?? null,
    })),
    geoproximity_routing_policy: optionalBlock(near, ({ AWSRegion, Bias, LocalZoneGroup }) => ({
      aws_region: AWSRegion ?? null,
      bias: Bias ?? null,
      local_zone_group: LocalZoneGroup ?? null,
      coordinates: optionalBlock(at, ({ Latitude = '', Longitude = '' }) => ({
        latitude: Latitude,
        longitude: Longitude,
      })),
    })),
    latency_routing_policy: optionalBlock(recordSet.Region, (region) => ({ region })),
    weighted_routing_policy: optionalBlock(recordSet.Weight, (weight) => ({ weight })),
  };
}

function optionalBlock<T, R>(value: T | undefined, make: (value: T) => R): R[] {
  return value === undefined ? [] : [make(value)];
}
