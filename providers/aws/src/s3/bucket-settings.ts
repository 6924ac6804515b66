import type { Tag } from '@aws-sdk/client-s3';
import { createPool } from '@terrane/host';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { websiteNames } from './bucket-names.ts';
import { record } from '../resource/block-values.ts';
import { OLDER_SETTINGS } from './older-settings.ts';
import type { OlderBlock } from './older-blocks.ts';

/** The maximum number of concurrent requests about one bucket. */
const AT_ONCE = 5;

/** Error codes for a setting that the bucket does not have, or that is not supported in its region. */
const NOT_SET: readonly string[] = [
  'NoSuchBucketPolicy',
  'NoSuchCORSConfiguration',
  'NoSuchLifecycleConfiguration',
  'NoSuchTagSet',
  'NoSuchWebsiteConfiguration',
  'ObjectLockConfigurationNotFoundError',
  'ReplicationConfigurationNotFoundError',
  'ServerSideEncryptionConfigurationNotFoundError',
  'MethodNotAllowed',
  'NotImplemented',
  'UnsupportedArgument',
  'UnsupportedOperation',
  'XNotImplemented',
];

/** Settings of a bucket, from its own blocks or from separate resources; empty if there are none. */
export interface BucketSettings extends Readonly<Record<OlderBlock, readonly object[]>> {
  readonly policy: string;
  readonly request_payer: string;
  readonly acceleration_status: string;
  readonly object_lock_enabled: boolean;
  readonly website_domain: string;
  readonly website_endpoint: string;
  readonly tags: readonly Tag[];
}

/** Tags of a bucket. */
export async function bucketTags({ s3 }: RegionalAws, Bucket: string): Promise<readonly Tag[]> {
  return (await orNothing(s3.getBucketTagging({ Bucket })))?.TagSet ?? [];
}

/** Requests all settings, several concurrently. */
export async function bucketSettings(aws: RegionalAws, Bucket: string): Promise<BucketSettings> {
  const { s3 } = aws;
  const pool = createPool(AT_ONCE);
  const ask = <T>(request: () => Promise<T>): Promise<T | undefined> =>
    orNothing(pool.run(request, aws.signal));
  const older = Promise.all(
    Object.entries(OLDER_SETTINGS).map(async ([name, { find }]) => {
      return [name, (await ask(() => find(aws, Bucket))) ?? []] as const;
    }),
  );
  const [policy, payment, acceleration, tagging] = await Promise.all([
    ask(() => s3.getBucketPolicy({ Bucket })),
    ask(() => s3.getBucketRequestPayment({ Bucket })),
    ask(() => s3.getBucketAccelerateConfiguration({ Bucket })),
    ask(() => s3.getBucketTagging({ Bucket })),
  ]);
  // The names in the table are unique.
  const blocks = Object.fromEntries(await older) as Record<OlderBlock, readonly object[]>;
  const [lock] = blocks.object_lock_configuration.map(record);
  const none = { website_domain: '', website_endpoint: '' };
  return {
    policy: normalJson(policy?.Policy),
    request_payer: payment?.Payer ?? '',
    acceleration_status: acceleration?.Status ?? '',
    object_lock_enabled: lock?.['object_lock_enabled'] === 'Enabled',
    tags: tagging?.TagSet ?? [],
    ...blocks,
    ...(blocks.website.length === 0 ? none : websiteNames(aws, Bucket)),
  };
}

async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, ...NOT_SET)) return undefined;
    throw error;
  }
}
