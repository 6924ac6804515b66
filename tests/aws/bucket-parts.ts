// Configurations of what other resources configure of a bucket.
import type { S3 } from '@aws-sdk/client-s3';
import type { ResourceLife } from './moto-life.ts';

/** A configuration with a bucket `bucket`, and a resource `it` of a type `aws_s3_bucket_…` for it. */
export function partOf(bucket: string, type: string, lines: string, more = ''): string {
  return `resource "aws_s3_bucket" "bucket" {
  bucket = "${bucket}"
  ${more}
}
resource "aws_s3_bucket_${type}" "it" {
  bucket = aws_s3_bucket.bucket.id
  ${lines}
}
`;
}

/** Returns the replacement step of a part: the part of another bucket, `other-…`, which is created first. */
export function elsewhere(
  config: string,
  creates: readonly string[] = [],
): NonNullable<ResourceLife['replace']> {
  const [first = ''] = config.match(/resource "aws_s3_bucket" "bucket" \{[^}]*\}\n/) ?? [];
  const other = first.replace('"bucket" {', '"other" {').replace('bucket = "', 'bucket = "other-');
  return {
    config:
      other +
      config.replace(
        '"it" {\n  bucket = aws_s3_bucket.bucket.id',
        '"it" {\n  bucket = aws_s3_bucket.other.id',
      ),
    by: ['bucket'],
    plan: Object.fromEntries(
      ['aws_s3_bucket.other', ...creates].map((address) => [address, 'create'] as const),
    ),
  };
}

/** The buckets that tests have made and not removed: the server begins with one of its own. */
export async function bucketsIn(s3: S3): Promise<readonly unknown[]> {
  const { Buckets = [] } = await s3.listBuckets({});
  return Buckets.filter(({ Name }) => Name !== 'bucket');
}
