import type { GetHostedZoneResponse, VPCRegion } from '@aws-sdk/client-route-53';
import {
  bool,
  hours,
  isUnknown,
  list,
  minutes,
  type RemoteObject,
  type Resource,
  setBlock,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, global, tagged } from '../resource/common-attributes.ts';
import { omitUnset } from '../resource/only.ts';
import { tagList } from '../tags/tags.ts';
import { NO_ZONE } from './consts.ts';
import { bareId, normalName, withoutDot } from './names.ts';
import { waitForChange } from './wait.ts';
import { conflicting, lengthBetween } from '../resource/validators.ts';
import { enumOf } from '../resource/enum-of.ts';

/** `aws_route53_zone` */
export const zone: Resource<Aws> = awsResource({
  type: 'Route 53 Hosted Zone',
  notFound: NO_ZONE,
  attributes: {
    ...global,
    ...arn,
    ...tagged,
    comment: string({
      default: 'Managed by Terraform',
      computed: false,
      validators: [lengthBetween(0, 256)],
    }),
    delegation_set_id: string({
      optional: true,
      requiresReplace: true,
      validators: [lengthBetween(0, 32)],
    }),
    enable_accelerated_recovery: bool({ optional: true, computed: true }),
    force_destroy: bool({ default: false, computed: false }),
    name: string({
      required: true,
      requiresReplace: true,
      validators: [lengthBetween(1, 1024)],
      semanticEquals: (before, after) => withoutDot(before) === withoutDot(after),
    }),
    name_servers: list(string, { computed: true }),
    primary_name_server: string({ computed: true }),
    zone_id: string({ computed: true }),
  },
  blocks: {
    timeouts: timeoutsBlock({ create: '30m', update: '30m', delete: '30m' }),
    vpc: setBlock({
      vpc_id: string({ required: true }),
      vpc_region: string({ optional: true, computed: true }),
    }),
  },

  validators: [conflicting('vpc', 'delegation_set_id')],

  plan: ({ plan }) => (isUnknown(plan.name) ? undefined : { name: withoutDot(plan.name) }),

  async create({ aws, object, plan, timeout }) {
    const [vpc] = vpcsOf(aws, plan.vpc);
    const answer = await aws.route53.createHostedZone({
      CallerReference: Buffer.from(aws.provider.random.bytes(16)).toString('hex'),
      Name: plan.name,
      HostedZoneConfig: { Comment: plan.comment },
      ...omitUnset({ DelegationSetId: plan.delegation_set_id, VPC: vpc }),
    });
    const id = bareId(answer.HostedZone?.Id);
    await waitForChange(aws, object, answer.ChangeInfo, timeout);
    return id;
  },

  async created({ aws, object, plan, tags, id, timeout }) {
    const AddTags = tagList(tags);
    if (AddTags !== undefined) {
      const at = { ResourceType: 'hostedzone', ResourceId: id } as const;
      await aws.route53.changeTagsForResource({ ...at, AddTags });
    }
    for (const vpc of vpcsOf(aws, plan.vpc).slice(1)) {
      await associate(aws, object, id, vpc, timeout);
    }
    const { faster } = omitUnset({ faster: plan.enable_accelerated_recovery });
    if (faster === true) await accelerate(aws, object, id, true, timeout);
  },

  find: async ({ aws, id }) => await aws.route53.getHostedZone({ Id: id }),

  async read(answer, { aws, id, state }) {
    const { ResourceTagSet } = await aws.route53.listTagsForResource({
      ResourceType: 'hostedzone',
      ResourceId: id,
    });
    const name = normalName(answer.HostedZone?.Name ?? '');
    const servers = await nameServersOf(aws, answer, id, name);
    const recovery = answer.HostedZone?.Features?.AcceleratedRecoveryStatus;
    return {
      arn: `arn:${aws.partition.id}:route53:::hostedzone/${id}`,
      comment: answer.HostedZone?.Config?.Comment ?? '',
      delegation_set_id: bareId(answer.DelegationSet?.Id),
      enable_accelerated_recovery: recovery === 'ENABLED' || recovery === 'ENABLING',
      force_destroy: state.force_destroy ?? false,
      name,
      name_servers: [...servers].sort(),
      primary_name_server: servers[0] ?? '',
      zone_id: id,
      vpc: (answer.VPCs ?? []).map(({ VPCId, VPCRegion }) => ({
        vpc_id: VPCId,
        vpc_region: VPCRegion,
      })),
      tags: ResourceTagSet?.Tags ?? [],
    };
  },

  async update({ aws, object, plan, state, changed, id, timeout }) {
    if (changed('comment')) {
      await aws.route53.updateHostedZoneComment({ Id: id, Comment: plan.comment });
    }
    const { faster } = omitUnset({ faster: plan.enable_accelerated_recovery });
    if (changed('enable_accelerated_recovery') && faster !== undefined) {
      await accelerate(aws, object, id, faster, timeout);
    }
    if (!changed('vpc')) return;
    const [before, after] = [vpcsOf(aws, state.vpc), vpcsOf(aws, plan.vpc)];
    const isIn = (vpcs: readonly Vpc[], { VPCId, VPCRegion }: Vpc): boolean =>
      vpcs.some((other) => other.VPCId === VPCId && other.VPCRegion === VPCRegion);
    // A private zone is never in no network.
    for (const vpc of after.filter((each) => !isIn(before, each))) {
      await associate(aws, object, id, vpc, timeout);
    }
    for (const VPC of before.filter((each) => !isIn(after, each))) {
      const request = { HostedZoneId: id, VPC };
      const { ChangeInfo } = await aws.route53.disassociateVPCFromHostedZone(request);
      await waitForChange(aws, object, ChangeInfo, timeout);
    }
  },

  async retag({ aws, id }, { set: added, removed }) {
    await aws.route53.changeTagsForResource({
      ResourceType: 'hostedzone',
      ResourceId: id,
      ...omitUnset({ AddTags: tagList(added) }),
      ...(removed.length > 0 && { RemoveTagKeys: [...removed] }),
    });
  },

  async delete({ aws, object, id, state, timeout }) {
    if (state.force_destroy === true) {
      await deleteRecords(aws, object, id, state.name, timeout);
      await disableDnssec(aws, object, id, timeout);
    }
    if (state.enable_accelerated_recovery) await accelerate(aws, object, id, false, timeout);
    const { ChangeInfo } = await aws.route53.deleteHostedZone({ Id: id });
    await waitForChange(aws, object, ChangeInfo, timeout);
  },
});

interface Vpc {
  readonly VPCId: string;
  readonly VPCRegion: VPCRegion;
}

function vpcsOf(
  aws: RegionalAws,
  vpcs: readonly { readonly vpc_id: string; readonly vpc_region: unknown }[],
): readonly Vpc[] {
  return vpcs.map(({ vpc_id: VPCId, vpc_region: region }) => ({
    VPCId,
    // The service determines the valid regions.
    VPCRegion: enumOf<VPCRegion>(typeof region === 'string' && region !== '' ? region : aws.region),
  }));
}

async function associate(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  VPC: Vpc,
  timeout: number,
): Promise<void> {
  const { ChangeInfo } = await aws.route53.associateVPCWithHostedZone({ HostedZoneId: id, VPC });
  await waitForChange(aws, object, ChangeInfo, timeout);
}

async function accelerate(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  faster: boolean,
  timeout: number,
): Promise<void> {
  await aws.route53.updateHostedZoneFeatures({
    HostedZoneId: id,
    EnableAcceleratedRecovery: faster,
  });
  await object.waitFor('accelerated recovery update', {
    pending: [
      'ENABLING',
      'ENABLING_HOSTED_ZONE_LOCKED',
      'DISABLING',
      'DISABLING_HOSTED_ZONE_LOCKED',
    ],
    target: [faster ? 'ENABLED' : 'DISABLED'],
    timeout: Math.min(timeout, hours(1)),
    refresh: async () => {
      const { HostedZone: result } = await aws.route53.getHostedZone({ Id: id });
      const state = result?.Features?.AcceleratedRecoveryStatus ?? 'DISABLED';
      return result && { result, state };
    },
  });
}

/** Returns the name servers, the primary one first; those of private zones are only in a record. */
async function nameServersOf(
  aws: RegionalAws,
  answer: GetHostedZoneResponse,
  id: string,
  name: string,
): Promise<readonly string[]> {
  if (answer.HostedZone?.Config?.PrivateZone !== true)
    return answer.DelegationSet?.NameServers ?? [];
  const { ResourceRecordSets } = await aws.route53.listResourceRecordSets({
    HostedZoneId: id,
    StartRecordName: name,
    StartRecordType: 'NS',
  });
  const [nameServers] = ResourceRecordSets ?? [];
  return (nameServers?.ResourceRecords ?? []).map(({ Value }) => Value ?? '');
}

/** Deletes all records of a zone but those that it cannot be without. */
async function deleteRecords(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  name: string,
  timeout: number,
): Promise<void> {
  const next: { StartRecordName?: string; StartRecordType?: 'A'; StartRecordIdentifier?: string } =
    {};
  for (;;) {
    const page = await aws.route53.listResourceRecordSets({ HostedZoneId: id, ...next });
    const others = (page.ResourceRecordSets ?? []).filter(
      ({ Name = '', Type }) =>
        normalName(Name) !== normalName(name) || (Type !== 'NS' && Type !== 'SOA'),
    );
    if (others.length > 0) {
      const Changes = others.map((ResourceRecordSet) => ({
        Action: 'DELETE' as const,
        ResourceRecordSet,
      }));
      const { ChangeInfo } = await aws.route53.changeResourceRecordSets({
        HostedZoneId: id,
        ChangeBatch: { Comment: 'Deleted by Terraform', Changes },
      });
      await waitForChange(aws, object, ChangeInfo, timeout);
    }
    if (page.IsTruncated !== true) return;
    Object.assign(next, {
      StartRecordName: page.NextRecordName,
      StartRecordType: page.NextRecordType,
      StartRecordIdentifier: page.NextRecordIdentifier,
    });
  }
}

/** Zones that are signed cannot be deleted. */
async function disableDnssec(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  timeout: number,
): Promise<void> {
  try {
    const { Status } = await aws.route53.getDNSSEC({ HostedZoneId: id });
    if (Status?.ServeSignature !== 'SIGNING') return;
    const { ChangeInfo } = await object.operation(
      'disabling DNSSEC of',
      () => aws.route53.disableHostedZoneDNSSEC({ HostedZoneId: id }),
      {
        propagation: minutes(5),
        isRetryable: (error) => hasCode(error, 'KeySigningKeyInParentDSRecord'),
      },
    );
    await waitForChange(aws, object, ChangeInfo, timeout);
  } catch (error) {
    const isPrivate = ['InvalidArgument', 'InvalidInput'].some((code) =>
      hasMessage(error, code, 'Operation is unsupported for private'),
    );
    if (!isPrivate && !hasCode(error, 'DNSSECNotFound')) throw error;
  }
}
