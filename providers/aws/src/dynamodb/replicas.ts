import type { ReplicaDescription, UpdateTableInput } from '@aws-sdk/client-dynamodb';
import { minutes, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import type { LooseObject } from '../resource/loose.ts';
import { type Tags, tagChange, tagList, tagsOf } from '../tags/tags.ts';
import { backupsOf, isBusy, setRecovery } from './settings.ts';
import { waitForReplica, tableOf } from './wait.ts';

/** A replica as users write it. */
export interface Replica {
  readonly region_name: string;
  readonly consistency_mode: string;
  readonly deletion_protection_enabled: unknown;
  readonly kms_key_arn: unknown;
  readonly point_in_time_recovery: boolean;
  readonly propagate_tags: boolean;
}

/** A change of the replicas of a table. */
interface ReplicaChange {
  readonly before: readonly Replica[];
  readonly after: readonly Replica[];
  /** the region of the witness of strongly consistent replicas */
  readonly witness: string | undefined;
}

/** The region of the witness of a table. */
export function witnessOf(
  blocks: readonly { readonly region_name: unknown }[] | undefined,
): string | undefined {
  const region = blocks?.[0]?.region_name;
  return typeof region === 'string' && region !== '' ? region : undefined;
}

/** Deletes, creates and sets up the replicas of a table. */
export async function changeReplicas(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  { before, after, witness }: ReplicaChange,
  tags: Tags,
  timeout: number,
): Promise<void> {
  const prior = new Map(before.map((replica) => [replica.region_name, replica]));
  const desired = new Map(after.map((replica) => [replica.region_name, replica]));
  const isSame = (was: Replica | undefined, next: Replica | undefined): boolean =>
    was !== undefined && next !== undefined && shapeOf(was) === shapeOf(next);
  const deleted = before.filter((was) => !isSame(was, desired.get(was.region_name)));
  for (const batch of batches(deleted)) await remove(aws, table, name, batch, witness, timeout);
  const created = after.filter((next) => !isSame(prior.get(next.region_name), next));
  for (const batch of batches(created)) await create(aws, table, name, batch, witness, timeout);
  for (const replica of after) {
    const region = replica.region_name;
    const previous = created.includes(replica) ? undefined : prior.get(region);
    await setUp(aws, table, name, replica, previous, timeout);
    if (replica.propagate_tags) await copyTags(aws, name, region, tags);
  }
}

/** Groups replicas by request: strongly consistent ones have to be created and deleted together. */
function batches(replicas: readonly Replica[]): readonly (readonly Replica[])[] {
  const strong = replicas.filter(isStrong);
  const others = replicas.filter((replica) => !isStrong(replica)).map((replica) => [replica]);
  return strong.length > 0 ? [strong, ...others] : others;
}

function isStrong({ consistency_mode: mode }: Replica): boolean {
  return mode === 'STRONG';
}

async function remove(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  batch: readonly Replica[],
  witness: string | undefined,
  timeout: number,
): Promise<void> {
  try {
    await updateReplicas(aws, table, {
      TableName: name,
      ReplicaUpdates: batch.map(({ region_name: region }) => ({ Delete: { RegionName: region } })),
      ...(batch.some(isStrong) &&
        witness !== undefined && {
          GlobalTableWitnessUpdates: [{ Delete: { RegionName: witness } }],
        }),
    });
  } catch (error) {
    if (!isReplicaMissing(error)) throw error;
  }
  for (const { region_name: region } of batch) {
    await waitForReplica(aws, table, name, region, 'deleted', timeout);
  }
}

async function create(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  batch: readonly Replica[],
  witness: string | undefined,
  timeout: number,
): Promise<void> {
  const strong = batch.some(isStrong) && {
    MultiRegionConsistency: 'STRONG' as const,
    ...(witness !== undefined && {
      GlobalTableWitnessUpdates: [{ Create: { RegionName: witness } }],
    }),
  };
  try {
    await updateReplicas(aws, table, {
      TableName: name,
      ReplicaUpdates: batch.map(({ region_name: RegionName, kms_key_arn: key }) => ({
        Create: {
          RegionName,
          ...(typeof key === 'string' && key !== '' && { KMSMasterKeyId: key }),
        },
      })),
      ...strong,
    });
  } catch (error) {
    // A replica that already exists, for example from an interrupted attempt, is only waited for.
    if (!hasMessage(error, 'ValidationException', 'already exist')) throw error;
  }
  for (const { region_name: region } of batch) {
    await waitForReplica(aws, table, name, region, 'active', timeout);
  }
}

/** Changes the settings of a replica in its own region. */
async function setUp(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  replica: Replica,
  was: Replica | undefined,
  timeout: number,
): Promise<void> {
  const regionalAws = aws.provider.in(replica.region_name, aws.signal);
  const enabled = replica.point_in_time_recovery;
  if (enabled !== (was?.point_in_time_recovery ?? false)) {
    const recovery = { enabled, recovery_period_in_days: null };
    await setRecovery(regionalAws, table, name, recovery, timeout);
  }
  const protectedNow = replica.deletion_protection_enabled === true;
  if (protectedNow !== (was?.deletion_protection_enabled === true)) {
    await regionalAws.dynamodb.updateTable({
      TableName: name,
      DeletionProtectionEnabled: protectedNow,
    });
    await waitForReplica(aws, table, name, replica.region_name, 'active', timeout);
  }
}

/** Requests a change of replicas; regions may not know a new table yet. */
async function updateReplicas(
  aws: RegionalAws,
  table: RemoteObject,
  request: UpdateTableInput,
): Promise<void> {
  const isDeletion = request.ReplicaUpdates?.some((update) => update.Delete !== undefined) ?? false;
  await table.operation('updating replicas of', () => aws.dynamodb.updateTable(request), {
    propagation: minutes(30),
    isRetryable: (error) =>
      isBusy(error) ||
      hasCode(error, 'ResourceInUseException') ||
      (!isDeletion && isReplicaMissing(error)),
  });
}

/** Tests whether an error says that a replica does not exist. A new replica may be unknown for a while. */
function isReplicaMissing(error: unknown): boolean {
  return hasMessage(error, 'ValidationException', 'of the request was not found');
}

async function copyTags(
  aws: RegionalAws,
  name: string,
  region: string,
  wanted: Tags,
): Promise<void> {
  const regionalAws = aws.provider.in(region, aws.signal);
  const ResourceArn = (await tableOf(regionalAws, name)).TableArn;
  const listed = await regionalAws.dynamodb.listTagsOfResource({ ResourceArn });
  const { set, removed } = tagChange(tagsOf(listed.Tags), wanted);
  const Tags = tagList(set);
  if (removed.length > 0) {
    await regionalAws.dynamodb.untagResource({ ResourceArn, TagKeys: [...removed] });
  }
  if (Tags !== undefined) await regionalAws.dynamodb.tagResource({ ResourceArn, Tags });
}

/** The arguments of the replicas of a table. */
export async function replicaArguments(
  aws: RegionalAws,
  name: string,
  replicas: readonly ReplicaDescription[],
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
    replicas.map(async ({ RegionName: region = '', KMSMasterKeyId: key }) => {
      const regionalAws = aws.provider.in(region, aws.signal);
      const table = await tableOf(regionalAws, name);
      const recovery = (await backupsOf(regionalAws, name))?.PointInTimeRecoveryDescription;
      const configured = before.find((each) => each.region_name === region);
      return {
        arn: table.TableArn ?? '',
        consistency_mode: consistency,
        deletion_protection_enabled: table.DeletionProtectionEnabled ?? false,
        kms_key_arn: key ?? table.SSEDescription?.KMSMasterKeyArn ?? '',
        point_in_time_recovery: recovery?.PointInTimeRecoveryStatus === 'ENABLED',
        propagate_tags: configured?.propagate_tags ?? false,
        region_name: region,
        stream_arn: table.LatestStreamArn ?? '',
        stream_label: table.LatestStreamLabel ?? '',
      };
    }),
  );
}

/** The properties of a replica whose change recreates it, as text. */
function shapeOf({ consistency_mode: mode, kms_key_arn: key }: Replica): string {
  return `${mode} ${typeof key === 'string' ? key : ''}`;
}
