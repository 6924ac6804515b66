import type { ReplicaDescription, ReplicationGroupUpdate } from '@aws-sdk/client-dynamodb';
import { minutes, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import type { LooseObject } from '../resource/loose.ts';
import { type Tags, tagChange, tagList, tagsOf } from '../tags/tags.ts';
import { isBusy, setRecovery } from './settings.ts';
import { replicaIs, tableOf } from './wait.ts';

/** A replica as users write it. */
export interface Replica {
  readonly region_name: string;
  readonly consistency_mode: string;
  readonly deletion_protection_enabled: unknown;
  readonly kms_key_arn: unknown;
  readonly point_in_time_recovery: boolean;
  readonly propagate_tags: boolean;
}

/** Brings replicas from what they were to what they are to be. */
export async function changeReplicas(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  before: readonly Replica[],
  after: readonly Replica[],
  tags: Tags,
  timeout: number,
): Promise<void> {
  const isOther = (replica: Replica): boolean => {
    const was = before.find(({ region_name: region }) => region === replica.region_name);
    return was === undefined || shapeOf(was) !== shapeOf(replica);
  };
  const wanted = new Map(after.map((replica) => [replica.region_name, replica]));
  for (const { region_name: region } of before) {
    const next = wanted.get(region);
    if (next !== undefined && !isOther(next)) continue;
    try {
      await changed(aws, table, name, { Delete: { RegionName: region } });
    } catch (error) {
      if (!isReplicaMissing(error)) throw error;
    }
    await replicaIs(aws, table, name, region, 'gone', timeout);
  }
  for (const replica of after) {
    const was = before.find(({ region_name: region }) => region === replica.region_name);
    const isNew = was === undefined || isOther(replica);
    if (isNew) await create(aws, table, name, replica, timeout);
    await setUp(aws, table, name, replica, isNew ? undefined : was, timeout);
    if (replica.propagate_tags) await copyTags(aws, name, replica.region_name, tags);
  }
}

async function create(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  replica: Replica,
  timeout: number,
): Promise<void> {
  const key = replica.kms_key_arn;
  const consistency = replica.consistency_mode === 'STRONG' ? 'STRONG' : undefined;
  const added = {
    RegionName: replica.region_name,
    ...(typeof key === 'string' && key !== '' && { KMSMasterKeyId: key }),
  };
  try {
    await changed(aws, table, name, { Create: added }, consistency);
  } catch (error) {
    // A replica that is there already, as of an earlier attempt, is waited for.
    if (!hasMessage(error, 'ValidationException', 'already exist')) throw error;
  }
  await replicaIs(aws, table, name, replica.region_name, 'there', timeout);
}

/** What a replica is set up with where it is. */
async function setUp(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  replica: Replica,
  was: Replica | undefined,
  timeout: number,
): Promise<void> {
  const there = aws.provider.in(replica.region_name, aws.signal);
  const enabled = replica.point_in_time_recovery;
  if (enabled !== (was?.point_in_time_recovery ?? false)) {
    const recovery = { enabled, recovery_period_in_days: null };
    await setRecovery(there, table, name, recovery, timeout);
  }
  const protectedNow = replica.deletion_protection_enabled === true;
  if (protectedNow !== (was?.deletion_protection_enabled === true)) {
    await there.dynamodb.updateTable({
      TableName: name,
      DeletionProtectionEnabled: protectedNow,
    });
    await replicaIs(aws, table, name, replica.region_name, 'there', timeout);
  }
}

async function changed(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  update: ReplicationGroupUpdate,
  consistency?: 'STRONG',
): Promise<void> {
  const request = {
    TableName: name,
    ReplicaUpdates: [update],
    ...(consistency && { MultiRegionConsistency: consistency }),
  };
  await table.operation('updating replicas of', () => aws.dynamodb.updateTable(request), {
    propagation: minutes(30),
    isRetryable: (error) =>
      isBusy(error) ||
      hasCode(error, 'ResourceInUseException') ||
      (update.Delete === undefined && isReplicaMissing(error)),
  });
}

/** Whether an error says that a replica does not exist: that of a new table, whose regions do not know it yet, passes. */
function isReplicaMissing(error: unknown): boolean {
  return hasMessage(error, 'ValidationException', 'of the request was not found');
}

async function copyTags(
  aws: RegionalAws,
  name: string,
  region: string,
  wanted: Tags,
): Promise<void> {
  const there = aws.provider.in(region, aws.signal);
  const ResourceArn = (await tableOf(there, name)).TableArn;
  const found = await there.dynamodb.listTagsOfResource({ ResourceArn });
  const { set, removed } = tagChange(tagsOf(found.Tags), wanted);
  const Tags = tagList(set);
  if (removed.length > 0) {
    await there.dynamodb.untagResource({ ResourceArn, TagKeys: [...removed] });
  }
  if (Tags !== undefined) await there.dynamodb.tagResource({ ResourceArn, Tags });
}

/** The arguments of the replicas of a table. */
export async function replicaArguments(
  aws: RegionalAws,
  name: string,
  found: readonly ReplicaDescription[],
  consistency: string,
  before: readonly Replica[],
): Promise<
  (LooseObject<Omit<Replica, 'deletion_protection_enabled' | 'kms_key_arn'>> & {
    readonly arn: string;
    readonly deletion_protection_enabled: boolean;
    readonly kms_key_arn: string;
    readonly stream_arn: string;
    readonly stream_label: string;
  })[]
> {
  return await Promise.all(
    found.map(async ({ RegionName: region = '', KMSMasterKeyId: key }) => {
      const there = aws.provider.in(region, aws.signal);
      const table = await tableOf(there, name);
      const backups = await there.dynamodb.describeContinuousBackups({ TableName: name });
      const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      const own = before.find((each) => each.region_name === region);
      return {
        arn: table.TableArn ?? '',
        consistency_mode: consistency,
        deletion_protection_enabled: table.DeletionProtectionEnabled ?? false,
        kms_key_arn: key ?? table.SSEDescription?.KMSMasterKeyArn ?? '',
        point_in_time_recovery: recovery?.PointInTimeRecoveryStatus === 'ENABLED',
        propagate_tags: own?.propagate_tags ?? false,
        region_name: region,
        stream_arn: table.LatestStreamArn ?? '',
        stream_label: table.LatestStreamLabel ?? '',
      };
    }),
  );
}

/** What a replica cannot be changed in, as text. */
function shapeOf({ consistency_mode: mode, kms_key_arn: key }: Replica): string {
  return `${mode} ${typeof key === 'string' ? key : ''}`;
}
