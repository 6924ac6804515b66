import type { Tag } from '@aws-sdk/client-s3';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { websiteNames } from './bucket-names.ts';

/** Codes of errors that say that something is not configured of a bucket, or not known where the bucket is. */
const NOT_SET: readonly string[] = [
  'NoSuchBucketPolicy',
  'NoSuchTagSet',
  'NoSuchWebsiteConfiguration',
  'ObjectLockConfigurationNotFoundError',
  'MethodNotAllowed',
  'NotImplemented',
  'UnsupportedArgument',
  'UnsupportedOperation',
  'XNotImplemented',
];

/** What a bucket has by itself or by resources of its own; empty where it has none. */
export interface BucketSettings {
  readonly policy: string;
  readonly request_payer: string;
  readonly acceleration_status: string;
  readonly object_lock_enabled: boolean;
  readonly website_domain: string;
  readonly website_endpoint: string;
  readonly tags: readonly Tag[];
}

/** Asks for all of it at once. */
export async function bucketSettings(aws: RegionalAws, Bucket: string): Promise<BucketSettings> {
  const { s3 } = aws;
  const [policy, payment, acceleration, lock, website, tagging] = await Promise.all([
    orNothing(s3.getBucketPolicy({ Bucket })),
    orNothing(s3.getBucketRequestPayment({ Bucket })),
    orNothing(s3.getBucketAccelerateConfiguration({ Bucket })),
    orNothing(s3.getObjectLockConfiguration({ Bucket })),
    orNothing(s3.getBucketWebsite({ Bucket })),
    orNothing(s3.getBucketTagging({ Bucket })),
  ]);
  const none = { website_domain: '', website_endpoint: '' };
  return {
    policy: normalJson(policy?.Policy),
    request_payer: payment?.Payer ?? '',
    acceleration_status: acceleration?.Status ?? '',
    object_lock_enabled: lock?.ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled',
    tags: tagging?.TagSet ?? [],
    ...(website === undefined ? none : websiteNames(aws, Bucket)),
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
