import type { ContinuousBackupsDescription, SSESpecification } from '@aws-sdk/client-dynamodb';
import { minutes, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { numberOf } from './throughput.ts';
import { waitForEncryption, waitForExpiry, waitForRecovery } from './wait.ts';

/** The requested encryption of a table; undefined: the default. */
export function encryptionOf([first]: readonly {
  readonly enabled: boolean;
  readonly kms_key_arn: unknown;
}[]): SSESpecification | undefined {
  if (first === undefined) return undefined;
  const key = first.kms_key_arn;
  const hasKey = first.enabled && typeof key === 'string' && key !== '';
  return { Enabled: first.enabled, ...(hasKey && { KMSMasterKeyId: key, SSEType: 'KMS' }) };
}

/** Changes the encryption of a table and of its replicas, whose keys are changed with that of the table. */
export async function setEncryption(
  aws: RegionalAws,
  table: RemoteObject,
  TableName: string,
  encryption: SSESpecification,
  replicas: readonly { readonly region_name: string; readonly kms_key_arn: unknown }[],
  timeout: number,
): Promise<void> {
  const keys = [
    ...replicas.map(({ region_name: region, kms_key_arn: key }) => ({ region, key })),
    { region: aws.region, key: encryption.KMSMasterKeyId },
  ];
  await aws.dynamodb.updateTable({
    TableName,
    ...(replicas.length > 0 && encryption.KMSMasterKeyId !== undefined
      ? {
          ReplicaUpdates: keys.flatMap(({ region, key }) =>
            typeof key === 'string' && key !== ''
              ? [{ Update: { RegionName: region, KMSMasterKeyId: key } }]
              : [],
          ),
        }
      : { SSESpecification: encryption }),
  });
  for (const { region } of keys) {
    const regionalAws = region === aws.region ? aws : aws.provider.in(region, aws.signal);
    await waitForEncryption(regionalAws, table, TableName, timeout);
  }
}

/** The backups of a table; undefined for an archived table, and for servers without backups. */
export async function backupsOf(
  aws: RegionalAws,
  TableName: string,
): Promise<ContinuousBackupsDescription | undefined> {
  try {
    return (await aws.dynamodb.describeContinuousBackups({ TableName }))
      .ContinuousBackupsDescription;
  } catch (error) {
    if (hasCode(error, 'TableNotFoundException', 'UnknownOperationException')) return undefined;
    throw error;
  }
}

/** Enables or disables the time to live, by which items expire. */
export async function setExpiry(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  ttl: { readonly attribute_name: string | null; readonly enabled: boolean },
  timeout: number,
): Promise<void> {
  await aws.dynamodb.updateTimeToLive({
    TableName: name,
    TimeToLiveSpecification: { AttributeName: ttl.attribute_name ?? '', Enabled: ttl.enabled },
  });
  await waitForExpiry(aws, table, name, ttl.enabled, timeout);
}

/** Enables or disables point-in-time recovery. Backups of a new table may not be available yet. */
export async function setRecovery(
  aws: RegionalAws,
  table: RemoteObject,
  name: string,
  recovery: { readonly enabled: boolean; readonly recovery_period_in_days: unknown },
  timeout: number,
): Promise<void> {
  const days = numberOf(recovery.recovery_period_in_days);
  await table.operation(
    'updating the point in time recovery of',
    () =>
      aws.dynamodb.updateContinuousBackups({
        TableName: name,
        PointInTimeRecoverySpecification: {
          PointInTimeRecoveryEnabled: recovery.enabled,
          ...(recovery.enabled && days > 0 && { RecoveryPeriodInDays: days }),
        },
      }),
    {
      propagation: minutes(20),
      isRetryable: (error) =>
        hasMessage(error, 'ContinuousBackupsUnavailableException', 'Backups are being enabled'),
    },
  );
  await waitForRecovery(aws, table, name, recovery.enabled, timeout);
}

/** Tests whether an error is caused by too many concurrent changes of tables. */
export function isBusy(error: unknown): boolean {
  return (
    hasCode(error, 'ThrottlingException') ||
    hasMessage(error, 'LimitExceededException', 'simultaneously')
  );
}
