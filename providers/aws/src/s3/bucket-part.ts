import { hasCode } from '../request/aws-error.ts';

/** What another resource configures of a bucket is called by the bucket, and by who is to own it where that is said. */
export function partId(bucket: string, owner: string | null | undefined): string {
  return owner === null || owner === undefined || owner === '' ? bucket : `${bucket},${owner}`;
}

/** The bucket and its owner out of an id of {@link partId}, as requests have them. */
export function bucketOf(id: string): {
  readonly Bucket: string;
  readonly ExpectedBucketOwner?: string;
} {
  const [Bucket = '', ExpectedBucketOwner = ''] = id.split(',');
  return ExpectedBucketOwner === '' ? { Bucket } : { Bucket, ExpectedBucketOwner };
}

/** Whether an error says that a bucket is not there, as it does of one that was just created. */
export function isBucketOnItsWay(error: unknown): boolean {
  return hasCode(error, 'NoSuchBucket');
}
