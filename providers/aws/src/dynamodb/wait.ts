import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { minutes, NotFoundError, type RemoteObject, seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';

type Described = { readonly result: unknown; readonly state: string } | undefined;

/** A table. */
export async function tableOf(aws: RegionalAws, name: string): Promise<TableDescription> {
  const { Table } = await aws.dynamodb.describeTable({ TableName: name });
  if (Table === undefined) throw new NotFoundError();
  return Table;
}

/** Waits until a table is ready for use. */
export async function waitForActiveTable(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  timeout: number,
): Promise<void> {
  await table.waitFor('activation', {
    pending: ['CREATING', 'UPDATING'],
    target: ['ACTIVE'],
    timeout: Math.max(timeout, minutes(30)),
    delay: seconds(5),
    continuousTargetOccurrences: 2,
    refresh: () => statusOf(aws, name),
  });
}

/** Waits until a table is deleted. */
export async function waitForDeletedTable(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  timeout: number,
): Promise<void> {
  await table.waitForDeletion({
    pending: ['ACTIVE', 'DELETING'],
    timeout: Math.max(timeout, minutes(10)),
    refresh: () => statusOf(aws, name),
  });
}

/** Waits until an index is active; without a name, until all are. */
export async function waitForActiveIndex(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  index: string | undefined,
  timeout: number,
): Promise<void> {
  await table.waitFor(`activation of the index ${index ?? ''}`.trim(), {
    pending: ['CREATING', 'UPDATING'],
    target: ['ACTIVE'],
    timeout: Math.max(timeout, minutes(20)),
    refresh: async () => {
      const { GlobalSecondaryIndexes: all = [] } = await tableOf(aws, name);
      const indexes = all.filter(({ IndexName }) => index === undefined || IndexName === index);
      if (index !== undefined && indexes.length === 0) return undefined;
      const states = indexes.flatMap(({ IndexStatus, WarmThroughput: warm }) => [
        IndexStatus,
        warm?.Status,
      ]);
      return {
        result: indexes,
        state: states.find((each) => (each ?? 'ACTIVE') !== 'ACTIVE') ?? 'ACTIVE',
      };
    },
  });
}

/** Waits until a table has the warm throughput that was requested. */
export async function waitForWarmTable(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  timeout: number,
): Promise<void> {
  await table.waitFor('update of the warm throughput', {
    pending: ['CREATING', 'UPDATING'],
    target: ['ACTIVE'],
    timeout: Math.max(timeout, minutes(20)),
    refresh: async () => {
      const result = await tableOf(aws, name);
      return { result, state: result.WarmThroughput?.Status ?? 'ACTIVE' };
    },
  });
}

/** Waits until an index is deleted. */
export async function waitForDeletedIndex(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  index: string,
  timeout: number,
): Promise<void> {
  await table.waitForDeletion({
    pending: ['ACTIVE', 'DELETING', 'UPDATING'],
    timeout: Math.max(timeout, minutes(20)),
    refresh: async () => {
      const { GlobalSecondaryIndexes: all = [] } = await tableOf(aws, name);
      const result = all.find(({ IndexName }) => IndexName === index);
      return result && { result, state: result.IndexStatus ?? '' };
    },
  });
}

/** Waits until the encryption of a table has its configured state. */
export async function waitForEncryption(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  timeout: number,
): Promise<void> {
  await table.waitFor('update of the encryption', {
    pending: ['DISABLING', 'ENABLING', 'UPDATING'],
    target: ['DISABLED', 'ENABLED'],
    timeout: Math.max(timeout, minutes(20)),
    delay: seconds(30),
    continuousTargetOccurrences: 2,
    refresh: async () => {
      const result = await tableOf(aws, name);
      // A table with the default encryption reports no status.
      return { result, state: result.SSEDescription?.Status ?? 'DISABLED' };
    },
  });
}

/** Waits until items expire, or no longer do. */
export async function waitForExpiry(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  enabled: boolean,
  timeout: number,
): Promise<void> {
  await table.waitFor('update of the time to live', {
    pending: enabled ? ['DISABLED', 'ENABLING'] : ['ENABLED', 'DISABLING'],
    target: [enabled ? 'ENABLED' : 'DISABLED'],
    timeout: Math.max(timeout, seconds(30)),
    refresh: async () => {
      const { TimeToLiveDescription: result } = await aws.dynamodb.describeTimeToLive({
        TableName: name,
      });
      return result && { result, state: result.TimeToLiveStatus ?? '' };
    },
  });
}

/** Waits until a table can, or cannot, be restored to any time. */
export async function waitForRecovery(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  enabled: boolean,
  timeout: number,
): Promise<void> {
  await table.waitFor('update of the point in time recovery', {
    pending: enabled ? ['ENABLING', 'DISABLED'] : [],
    target: [enabled ? 'ENABLED' : 'DISABLED'],
    timeout: Math.max(timeout, seconds(30)),
    minTimeout: seconds(15),
    refresh: async () => {
      const { ContinuousBackupsDescription: backups } =
        await aws.dynamodb.describeContinuousBackups({
          TableName: name,
        });
      const result = backups?.PointInTimeRecoveryDescription;
      return result && { result, state: result.PointInTimeRecoveryStatus ?? '' };
    },
  });
}

/** Waits until a replica is active, or deleted. */
export async function waitForReplica(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  region: string,
  wanted: 'active' | 'deleted',
  timeout: number,
): Promise<void> {
  const limit = Math.max(timeout, minutes(30));
  const refresh = async (): Promise<Described> => {
    const { Replicas = [] } = await tableOf(aws, name);
    const result = Replicas.find(({ RegionName }) => RegionName === region);
    return result && { result, state: result.ReplicaStatus ?? '' };
  };
  const pending = ['CREATING', 'UPDATING', 'DELETING'];
  if (wanted === 'deleted') {
    await table.waitForDeletion({ pending: [...pending, 'ACTIVE'], timeout: limit, refresh });
  } else {
    const subject = `creation of the replica in ${region}`;
    await table.waitFor(subject, { pending, target: ['ACTIVE'], timeout: limit, refresh });
  }
}

async function statusOf(
  aws: RegionalAws,
  name: string,
): Promise<{ readonly result: TableDescription; readonly state: string }> {
  const result = await tableOf(aws, name);
  return { result, state: result.TableStatus ?? '' };
}
