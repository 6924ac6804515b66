import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';

describe('s3', () => {
  let server: AwsServer;
  let s3: S3;

  beforeAll(async () => {
    server = await startAws();
    s3 = new S3({ ...server.options(), forcePathStyle: true });
  }, 120_000);
  afterAll(() => server.stop());

  const buckets = async (): Promise<readonly unknown[]> =>
    // The server begins with one.
    ((await s3.listBuckets({})).Buckets ?? []).filter(({ Name }) => Name !== 'bucket');
  const BUCKET = 'resource "aws_s3_bucket" "bucket" {\n  bucket = "jobs"\n}\n';

  it('leads a bucket through its life', { timeout: 600_000 }, async () => {
    const bucket = (lines: string): string => `
resource "aws_s3_bucket" "it" {
  ${lines}
}
`;
    await resourceLife(server, {
      address: 'aws_s3_bucket.it',
      provider: 'default_tags {\n tags = { Team = "core" }\n}',
      config: bucket('bucket = "tagged"\n  tags = { Env = "test" }'),
      state: {
        id: 'tagged',
        arn: 'arn:aws:s3:::tagged',
        bucket_domain_name: 'tagged.s3.amazonaws.com',
        bucket_regional_domain_name: 'tagged.s3.eu-west-1.amazonaws.com',
        bucket_region: 'eu-west-1',
        hosted_zone_id: 'Z1BKCTXD74EZPE',
        object_lock_enabled: false,
        tags_all: { Env: 'test', Team: 'core' },
      },
      updates: [
        {
          config: bucket('bucket = "tagged"\n  acceleration_status = "Enabled"'),
          state: { acceleration_status: 'Enabled', tags: {}, tags_all: { Team: 'core' } },
        },
      ],
      replace: {
        config: bucket('bucket_prefix = "jobs-"\n  force_destroy = true'),
        by: ['bucket_prefix'],
        state: { bucket: /^jobs-\d{18}[0-9a-f]{8}$/ },
      },
      drift: {
        // What is in the bucket does not keep it from being deleted.
        change: async ({ id }) => {
          const Bucket = String(id);
          await s3.putBucketVersioning({ Bucket, VersioningConfiguration: { Status: 'Enabled' } });
          await s3.putObject({ Bucket, Key: 'a', Body: 'one' });
          await s3.putObject({ Bucket, Key: 'a', Body: 'two' });
          await s3.deleteObject({ Bucket, Key: 'a' });
          await s3.putBucketTagging({
            Bucket,
            Tagging: { TagSet: [{ Key: 'Odd', Value: 'yes' }] },
          });
        },
        seen: { tags_all: { Odd: 'yes' } },
      },
      left: buckets,
    });
  });

  it('leads the versioning of a bucket through its life', { timeout: 600_000 }, async () => {
    const versioning = (status: string): string => `${BUCKET}
resource "aws_s3_bucket_versioning" "it" {
  bucket = aws_s3_bucket.bucket.id
  versioning_configuration {
    status = "${status}"
  }
}
data "aws_s3_bucket" "found" {
  bucket = aws_s3_bucket.bucket.id
}
`;
    await resourceLife(server, {
      address: 'aws_s3_bucket_versioning.it',
      config: versioning('Enabled'),
      state: { id: 'jobs', bucket: 'jobs' },
      updates: [{ config: versioning('Suspended'), state: { id: 'jobs' } }],
      drift: {
        change: () =>
          s3.putBucketVersioning({
            Bucket: 'jobs',
            VersioningConfiguration: { Status: 'Enabled' },
          }),
        seen: { versioning_configuration: [{ mfa_delete: '', status: 'Enabled' }] },
        alsoSeen: {
          'aws_s3_bucket.bucket': { versioning: [{ enabled: true, mfa_delete: false }] },
        },
      },
      left: buckets,
    });
  });

  it('leads the policy of a bucket through its life', { timeout: 600_000 }, async () => {
    const policy = (action: string): string => `
resource "aws_s3_bucket" "bucket" {
  bucket = "jobs"
}
resource "aws_s3_bucket_policy" "it" {
  bucket = aws_s3_bucket.bucket.id
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Deny", Principal = "*", Action = "${action}", Resource = "arn:aws:s3:::jobs/*" }]
  })
}
`;
    await resourceLife(server, {
      address: 'aws_s3_bucket_policy.it',
      config: policy('s3:PutObject'),
      state: { id: 'jobs', policy: /PutObject/ },
      updates: [{ config: policy('s3:DeleteObject'), state: { policy: /DeleteObject/ } }],
      disappear: () => s3.deleteBucketPolicy({ Bucket: 'jobs' }),
      alsoSeen: { 'aws_s3_bucket.bucket': { policy: '' } },
      left: buckets,
    });
  });

  it(
    'leads the public access block of a bucket through its life',
    { timeout: 600_000 },
    async () => {
      const block = (lines: string): string => `${BUCKET}
resource "aws_s3_bucket_public_access_block" "it" {
  bucket = aws_s3_bucket.bucket.id
  ${lines}
}
`;
      await resourceLife(server, {
        address: 'aws_s3_bucket_public_access_block.it',
        config: block('block_public_acls = true'),
        state: { id: 'jobs', block_public_acls: true, block_public_policy: false },
        updates: [
          {
            config: block('restrict_public_buckets = true'),
            state: { block_public_acls: false, restrict_public_buckets: true },
          },
        ],
        disappear: () => s3.deletePublicAccessBlock({ Bucket: 'jobs' }),
        left: buckets,
      });
    },
  );

  it('leads the encryption of a bucket through its life', { timeout: 600_000 }, async () => {
    const encryption = (algorithm: string, more = ''): string => `${BUCKET}
resource "aws_s3_bucket_server_side_encryption_configuration" "it" {
  bucket = aws_s3_bucket.bucket.id
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "${algorithm}"
    }
    ${more}
  }
}
`;
    await resourceLife(server, {
      address: 'aws_s3_bucket_server_side_encryption_configuration.it',
      config: encryption('AES256'),
      state: { id: 'jobs' },
      updates: [{ config: encryption('aws:kms', 'bucket_key_enabled = true'), state: {} }],
      disappear: () => s3.deleteBucketEncryption({ Bucket: 'jobs' }),
      alsoSeen: { 'aws_s3_bucket.bucket': { server_side_encryption_configuration: [] } },
      left: buckets,
    });
  });

  it('leads an object through its life', { timeout: 600_000 }, async () => {
    const object = (lines: string): string => `${BUCKET}
resource "aws_s3_object" "it" {
  bucket = aws_s3_bucket.bucket.id
  ${lines}
}
`;
    await resourceLife(server, {
      address: 'aws_s3_object.it',
      config: object('key = "a/b"\n  content = "one"\n  tags = { Env = "test" }'),
      state: {
        id: 'jobs/a/b',
        arn: 'arn:aws:s3:::jobs/a/b',
        etag: 'f97c5d29941bfb1b2fdab0874906ab82',
        storage_class: 'STANDARD',
        tags_all: { Env: 'test' },
      },
      import: { ignore: ['content'] },
      updates: [
        {
          config: object('key = "a/b"\n  content_base64 = base64encode("two")'),
          state: { etag: 'b8a9f715dbb64fd5c56e7783c6820a61', tags_all: {} },
        },
      ],
      replace: {
        config: object('key = "c"\n  content = "one"\n  metadata = { kind = "text" }'),
        by: ['key'],
        state: { metadata: { kind: 'text' } },
      },
      drift: {
        change: () => s3.putObject({ Bucket: 'jobs', Key: 'c', Body: 'x', Metadata: { a: 'b' } }),
        seen: { metadata: { a: 'b' } },
      },
      disappear: () => s3.deleteObject({ Bucket: 'jobs', Key: 'c' }),
      left: buckets,
    });
  });

  it('leads the lifecycle rules of a bucket through their life', { timeout: 600_000 }, async () => {
    const rules = (days: number, more = ''): string => `${BUCKET}
resource "aws_s3_bucket_lifecycle_configuration" "it" {
  bucket = aws_s3_bucket.bucket.id
  rule {
    id     = "logs"
    status = "Enabled"
    filter {
      prefix = "logs/"
    }
    expiration {
      days = ${days}
    }
    transition {
      days          = 30
      storage_class = "STANDARD_IA"
    }
    noncurrent_version_expiration {
      noncurrent_days = 10
    }
  }
  ${more}
}
`;
    await resourceLife(server, {
      address: 'aws_s3_bucket_lifecycle_configuration.it',
      config: rules(90),
      state: { id: 'jobs', bucket: 'jobs' },
      updates: [
        {
          config: rules(
            120,
            `rule {
    id     = "tagged"
    status = "Disabled"
    filter {
      and {
        prefix = "x/"
        tags   = { Kind = "old" }
      }
    }
    abort_incomplete_multipart_upload {
      days_after_initiation = 3
    }
  }`,
          ),
          state: { id: 'jobs' },
        },
      ],
      disappear: () => s3.deleteBucketLifecycle({ Bucket: 'jobs' }),
      alsoSeen: { 'aws_s3_bucket.bucket': { lifecycle_rule: [] } },
      left: buckets,
    });
  });
});
