import type { SSESpecification } from '@aws-sdk/client-dynamodb';
import { minutes, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { numberOf } from './throughput.ts';
import { expiryIsSet, recoveryIsSet } from './wait.ts';

/** How a table is encrypted; undefined: as all are. */
export function encryptionOf([first]: readonly {
  readonly enabled: boolean;
  readonly kms_key_arn: unknown;
}[]): SSESpecification | undefined {
  if (first === undefined) return undefined;
  const key = first.kms_key_arn;
  const own = first.enabled && typeof key === 'string' && key !== '';
  return { Enabled: first.enabled, ...(own && { KMSMasterKeyId: key, SSEType: 'KMS' }) };
}

/** Has items expire by an attribute, or no longer. */
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
  await expiryIsSet(aws, table, name, ttl.enabled, timeout);
}

/** Makes a table one that can be restored to any time, or no longer. Backups of a new one are only just set up. */
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
  await recoveryIsSet(aws, table, name, recovery.enabled, timeout);
}

/** Whether an error says that too much is done to tables at once, which passes. */
export function isBusy(error: unknown): boolean {
  return (
    hasCode(error, 'ThrottlingException') ||
    hasMessage(error, 'LimitExceededException', 'simultaneously')
  );
}
