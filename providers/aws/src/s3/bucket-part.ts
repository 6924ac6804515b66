import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';

/** What another resource configures of a bucket is called by the bucket, and by who is to own it where that is said. */
export function partId(bucket: string, owner: string | null | undefined): string {
  return owner === null || owner === undefined || owner === '' ? bucket : `${bucket},${owner}`;
}

/** A bucket as requests have it. */
export interface BucketOf {
  readonly Bucket: string;
  readonly ExpectedBucketOwner?: string;
}

/** The bucket and its owner out of an id of {@link partId}, as requests have them. */
export function bucketOf(id: string): BucketOf {
  const [Bucket = '', ExpectedBucketOwner = ''] = id.split(',');
  return ExpectedBucketOwner === '' ? { Bucket } : { Bucket, ExpectedBucketOwner };
}

/** The arguments that say whose part it is, as they are read. */
export function ownerOf(id: string): {
  readonly bucket: string;
  readonly expected_bucket_owner: string | undefined;
} {
  const { Bucket, ExpectedBucketOwner } = bucketOf(id);
  return { bucket: Bucket, expected_bucket_owner: ExpectedBucketOwner };
}

/** Whether an error says that a bucket is not there, as it does of one that was just created. */
export function isBucketOnItsWay(error: unknown): boolean {
  return hasCode(error, 'NoSuchBucket');
}

/** The handlers of a resource type that is a part of a bucket, all of which is put at once. */
interface PartCalls<P> {
  create(context: {
    readonly aws: RegionalAws;
    readonly object: RemoteObject;
    readonly plan: P;
  }): Promise<string>;
  update(context: {
    readonly aws: RegionalAws;
    readonly plan: P;
    readonly id: string;
  }): Promise<void>;
}

/** Creates and updates a part of a bucket by putting it, for a new one again where S3 does not know the bucket yet. */
export function putPart<
  P extends { readonly bucket: string; readonly expected_bucket_owner?: string | null },
>(
  put: (aws: RegionalAws, to: BucketOf, plan: P) => Promise<unknown>,
  isRetryable: (error: unknown) => boolean = isBucketOnItsWay,
): PartCalls<P> {
  return {
    async create({ aws, object, plan }) {
      const id = partId(plan.bucket, plan.expected_bucket_owner);
      await object.operation('creating', () => put(aws, bucketOf(id), plan), { isRetryable });
      return id;
    },
    async update({ aws, plan, id }) {
      await put(aws, bucketOf(id), plan);
    },
  };
}
