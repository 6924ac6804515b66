import type { ChangeInfo, RRType, ResourceRecordSet } from '@aws-sdk/client-route-53';
import {
  bool,
  isUnknown,
  int64,
  lengthAtLeast,
  listBlock,
  minutes,
  NotFoundError,
  type Resource,
  set,
  setBlock,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { global } from '../resource/common-attributes.ts';
import { NO_ZONE, RECORD_TYPES } from './consts.ts';
import { aliasName, bareId, normalName, recordName, withoutDot } from './names.ts';
import { recordArguments, recordSet } from './record-set.ts';
import { waitForChange } from './wait.ts';
import {
  between,
  conflicting,
  exactlyOneConfigured,
  lengthBetween,
  oneOf,
  requiredTogether,
} from '../resource/validators.ts';
import { enumOf } from '../resource/enum-of.ts';

const ONE = { maxItems: 1 };

/** `aws_route53_record` */
export const record: Resource<Aws> = awsResource({
  type: 'Route 53 Record',
  version: 2,
  label: idOf,
  attributes: {
    ...global,
    allow_overwrite: bool({ optional: true, computed: true, nullable: true }),
    fqdn: string({ computed: true }),
    health_check_id: string({ optional: true }),
    multivalue_answer_routing_policy: bool({ optional: true }),
    name: string({
      required: true,
      requiresReplace: true,
      semanticEquals: (before, after) => normalName(before) === normalName(after),
    }),
    records: set(string, { optional: true }),
    set_identifier: string({ optional: true }),
    ttl: int64({ optional: true }),
    type: string({ required: true, validators: [oneOf(...RECORD_TYPES)] }),
    zone_id: string({ required: true, requiresReplace: true, validators: [lengthAtLeast(1)] }),
  },
  blocks: {
    alias: listBlock(
      {
        evaluate_target_health: bool({ required: true }),
        name: string({
          required: true,
          validators: [lengthBetween(1, 1024)],
          semanticEquals: (before, after) => aliasName(before) === aliasName(after),
        }),
        zone_id: string({ required: true, validators: [lengthBetween(1, 32)] }),
      },
      ONE,
    ),
    cidr_routing_policy: listBlock(
      { collection_id: string({ required: true }), location_name: string({ required: true }) },
      ONE,
    ),
    failover_routing_policy: listBlock(
      { type: string({ required: true, validators: [oneOf('PRIMARY', 'SECONDARY')] }) },
      ONE,
    ),
    geolocation_routing_policy: listBlock(
      {
        continent: string({ optional: true }),
        country: string({ optional: true }),
        subdivision: string({ optional: true }),
      },
      ONE,
    ),
    geoproximity_routing_policy: listBlock(
      {
        aws_region: string({ optional: true }),
        bias: int64({ optional: true, validators: [between(-99, 99)] }),
        local_zone_group: string({ optional: true }),
      },
      {
        maxItems: 1,
        blocks: {
          coordinates: setBlock({
            latitude: string({ required: true }),
            longitude: string({ required: true }),
          }),
        },
      },
    ),
    latency_routing_policy: listBlock({ region: string({ required: true }) }, ONE),
    timeouts: timeoutsBlock({ create: '30m', update: '30m', delete: '30m' }),
    weighted_routing_policy: listBlock({ weight: int64({ required: true }) }, ONE),
  },
  validators: [
    exactlyOneConfigured('alias', 'records'),
    requiredTogether('records', 'ttl'),
    conflicting(
      'cidr_routing_policy',
      'failover_routing_policy',
      'geolocation_routing_policy',
      'geoproximity_routing_policy',
      'latency_routing_policy',
      'multivalue_answer_routing_policy',
      'weighted_routing_policy',
    ),
  ],

  plan: ({ plan }) =>
    isUnknown(plan.name) ? undefined : { name: withoutDot(plan.name.toLowerCase()) },

  async create({ aws, object, plan, timeout }) {
    const zone = await zoneOf(aws, plan.zone_id);
    // Existing records are only overwritten if configured.
    const Action = plan.allow_overwrite === true ? 'UPSERT' : 'CREATE';
    const change = { Action, ResourceRecordSet: recordSet(plan, zone.name) } as const;
    const info = await object.operation('creating', () => changeRecords(aws, zone.id, [change]), {
      propagation: minutes(1),
      isRetryable: (error) => hasCode(error, ...NO_ZONE),
    });
    await waitForChange(aws, object.as(idOf(plan)), info, timeout);
    return idOf(plan);
  },

  async find({ aws, state }) {
    const zone = await zoneOf(aws, state.zone_id).catch(asMissing);
    const name = recordName(state.name, zone.name);
    return {
      name,
      recordSet: await recordOf(aws, zone.id, name, state.type, state.set_identifier),
    };
  },

  read: ({ recordSet, name }, { state }) => ({
    ...recordArguments(recordSet),
    name: state.name,
    type: recordSet.Type,
    zone_id: state.zone_id,
    fqdn: name,
  }),

  async update({ aws, object, plan, state, changed: differs, timeout }) {
    const zone = await zoneOf(aws, plan.zone_id);
    const after = recordSet(plan, zone.name);
    // A change of type or identifier is another record: both changes are made atomically.
    const isOther = differs('type', 'set_identifier');
    const Action = isOther && plan.allow_overwrite !== true ? 'CREATE' : 'UPSERT';
    const info = await changeRecords(aws, zone.id, [
      ...(isOther
        ? [{ Action: 'DELETE', ResourceRecordSet: recordSet(state, zone.name) } as const]
        : []),
      { Action, ResourceRecordSet: after },
    ]);
    await waitForChange(aws, object, info, timeout);
    return idOf(plan);
  },

  async delete({ aws, object, state, timeout }) {
    const zone = await zoneOf(aws, state.zone_id).catch(asMissing);
    const name = recordName(state.name, zone.name);
    const recordSet = await recordOf(aws, zone.id, name, state.type, state.set_identifier);
    try {
      const change = { Action: 'DELETE', ResourceRecordSet: recordSet } as const;
      const info = await changeRecords(aws, zone.id, [change], 'Deleted by Terraform');
      await waitForChange(aws, object, info, timeout);
    } catch (error) {
      if (!hasCode(error, 'InvalidChangeBatch')) throw error;
    }
  },

  import(id) {
    const [zone = '', ...rest] = id.split('_');
    const at = rest.findIndex((part) => RECORD_TYPES.includes(part));
    if (zone === '' || at < 1) {
      throw new Error(
        `unexpected format of ID ("${id}"), expected ZONEID_RECORDNAME_TYPE_SET-IDENTIFIER (e.g. Z4KAPRWWNC7JR_dev.example.com_NS_dev), where SET-IDENTIFIER is optional`,
      );
    }
    const recordName = rest.slice(at + 1).join('_');
    const name = rest.slice(0, at).join('_').replace(/\.$/, '');
    return {
      id,
      zone_id: zone,
      name,
      type: rest[at],
      ...(recordName !== '' && { set_identifier: recordName }),
    };
  },
});

function idOf(record: {
  readonly zone_id: string;
  readonly name: string;
  readonly type: string;
  readonly set_identifier: string | null;
}): string {
  const name = record.name.toLowerCase().replace(/\.$/, '');
  const setIdentifier = record.set_identifier ?? '';
  return [record.zone_id, name, record.type, ...(setIdentifier === '' ? [] : [setIdentifier])].join(
    '_',
  );
}

async function zoneOf(
  aws: RegionalAws,
  id: string,
): Promise<{ readonly id: string; readonly name: string }> {
  const { HostedZone: zone } = await aws.route53.getHostedZone({ Id: bareId(id) });
  return { id: bareId(zone?.Id), name: zone?.Name ?? '' };
}

/** Without its zone the record does not exist. */
function asMissing(error: unknown): never {
  if (!hasCode(error, ...NO_ZONE)) throw error;
  throw new NotFoundError({ message: 'its zone is gone', cause: error });
}

async function changeRecords(
  aws: RegionalAws,
  zone: string,
  Changes: {
    readonly Action: 'CREATE' | 'DELETE' | 'UPSERT';
    readonly ResourceRecordSet: ResourceRecordSet;
  }[],
  Comment = 'Managed by Terraform',
): Promise<ChangeInfo | undefined> {
  const answer = await aws.route53.changeResourceRecordSets({
    HostedZoneId: zone,
    ChangeBatch: { Changes, Comment },
  });
  return answer.ChangeInfo;
}

/** The record of a name, type and identifier, which the service lists in their order. */
async function recordOf(
  aws: RegionalAws,
  zone: string,
  name: string,
  type: string,
  identifier: string | null,
): Promise<ResourceRecordSet> {
  // It has been validated.
  let next = {
    StartRecordName: `${name}.`,
    StartRecordType: enumOf<RRType>(type),
    StartRecordIdentifier: undefined as string | undefined,
  };
  for (;;) {
    const { StartRecordIdentifier: from, ...start } = next;
    const page = await aws.route53.listResourceRecordSets({
      HostedZoneId: zone,
      MaxItems: (identifier ?? '') === '' ? 1 : 100,
      ...start,
      ...(from !== undefined && { StartRecordIdentifier: from }),
    });
    const recordSet = page.ResourceRecordSets?.find(
      (each) =>
        normalName(each.Name ?? '') === name &&
        each.Type === type &&
        (each.SetIdentifier ?? '') === (identifier ?? ''),
    );
    if (recordSet !== undefined) return recordSet;
    const isMore =
      page.IsTruncated === true &&
      normalName(page.NextRecordName ?? '') === name &&
      page.NextRecordType === type;
    if (!isMore) throw new NotFoundError({ message: 'empty result' });
    next = {
      StartRecordName: page.NextRecordName ?? '',
      StartRecordType: enumOf<RRType>(type),
      StartRecordIdentifier: page.NextRecordIdentifier,
    };
  }
}
