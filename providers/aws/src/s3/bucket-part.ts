import { minutes, type OperationRetry, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';

/** The id of a resource that configures a bucket: the bucket, with its expected owner if there is one. */
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

/** Returns the arguments that identify the bucket of a part. */
export function ownerOf(id: string): {
  readonly bucket: string;
  readonly expected_bucket_owner: string | undefined;
} {
  const { Bucket, ExpectedBucketOwner } = bucketOf(id);
  return { bucket: Bucket, expected_bucket_owner: ExpectedBucketOwner };
}

/** The longest time until all of S3 shows a change of a bucket. */
export const PROPAGATION: number = minutes(2);

/** The error code for a change of a bucket during another one. */
export const BUSY = 'OperationAborted';

/**
 * Returns true if the error is about a missing bucket or one that is being changed; both are temporary for a new
 * bucket.
 */
export function isBucketPropagating(error: unknown): boolean {
  return hasCode(error, 'NoSuchBucket', BUSY);
}

/** Tests whether S3 rejected a policy, as it does until all its principals are known everywhere. */
export function isPrincipalPropagating(error: unknown): boolean {
  return hasMessage(error, 'MalformedPolicy', 'Invalid principal');
}

/** Retries a request while another change of the bucket is pending. */
export function whileBusy(propagation: number = PROPAGATION): OperationRetry {
  return again([BUSY], propagation);
}

/** The handlers of a resource type for a part of a bucket, which is set as a whole. */
interface PartCalls<P> {
  create(context: {
    readonly aws: RegionalAws;
    readonly object: RemoteObject;
    readonly plan: P;
  }): Promise<string>;
  update(context: {
    readonly aws: RegionalAws;
    readonly object: RemoteObject;
    readonly plan: P;
    readonly id: string;
  }): Promise<void>;
}

/** Creates and updates a part of a bucket by putting it. A creation is retried until S3 knows the bucket. */
export function putPart<
  P extends { readonly bucket: string; readonly expected_bucket_owner?: string | null },
>(
  put: (aws: RegionalAws, to: BucketOf, plan: P) => Promise<unknown>,
  isRetryable: (error: unknown) => boolean = isBucketPropagating,
): PartCalls<P> {
  return {
    async create({ aws, object, plan }) {
      const id = partId(plan.bucket, plan.expected_bucket_owner);
      await object.operation('creating', () => put(aws, bucketOf(id), plan), { isRetryable });
      return id;
    },
    async update({ aws, object, plan, id }) {
      await object.operation('updating', () => put(aws, bucketOf(id), plan), {
        isRetryable: (error) => !hasCode(error, 'NoSuchBucket') && isRetryable(error),
      });
    },
  };
}
