import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bucketsIn } from './bucket-parts.ts';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';

describe('s3', () => {
  let server: AwsServer;
  let s3: S3;

  beforeAll(async () => {
    server = await startAws();
    s3 = new S3({ ...server.options(), forcePathStyle: true });
  });
  afterAll(() => server.stop());

  const buckets = (): Promise<readonly unknown[]> => bucketsIn(s3);
  const BUCKET = 'resource "aws_s3_bucket" "bucket" {\n  bucket = "objects"\n}\n';

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
        // Objects in the bucket do not prevent its deletion.
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
      remaining: buckets,
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
        id: 'objects/a/b',
        arn: 'arn:aws:s3:::objects/a/b',
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
        change: () =>
          s3.putObject({ Bucket: 'objects', Key: 'c', Body: 'x', Metadata: { a: 'b' } }),
        seen: { metadata: { a: 'b' } },
      },
      disappear: () => s3.deleteObject({ Bucket: 'objects', Key: 'c' }),
      remaining: buckets,
    });
  });

  it('leads a bucket with everything in its older blocks', { timeout: 600_000 }, async () => {
    const LOGS = `
resource "aws_s3_bucket" "logs" {
  bucket        = "logs"
  acl           = "log-delivery-write"
  force_destroy = true
}
`;
    const bucket = (days: number): string => `${LOGS}
resource "aws_s3_bucket" "it" {
  bucket        = "older"
  force_destroy = true
  versioning {
    enabled = true
  }
  cors_rule {
    allowed_methods = ["GET"]
    allowed_origins = ["*"]
  }
  website {
    index_document = "index.html"
    routing_rules  = jsonencode([{ Redirect = { ReplaceKeyWith = "a" }, Condition = { KeyPrefixEquals = "b" } }])
  }
  logging {
    target_bucket = aws_s3_bucket.logs.id
    target_prefix = "log/"
  }
  server_side_encryption_configuration {
    rule {
      apply_server_side_encryption_by_default {
        sse_algorithm = "AES256"
      }
    }
  }
  lifecycle_rule {
    enabled = true
    prefix  = "tmp/"
    tags    = { Kind = "old" }
    expiration {
      days = ${days}
    }
    transition {
      days          = 30
      storage_class = "STANDARD_IA"
    }
    noncurrent_version_expiration {
      days = 7
    }
  }
  lifecycle_rule {
    id                                     = "uploads"
    enabled                                = false
    abort_incomplete_multipart_upload_days = 3
  }
}
`;
    await resourceLife(server, {
      address: 'aws_s3_bucket.it',
      config: bucket(60),
      state: {
        id: 'older',
        versioning: [{ enabled: true, mfa_delete: false }],
        website_endpoint: 'older.s3-website-eu-west-1.amazonaws.com',
      },
      import: { ignore: ['force_destroy'] },
      updates: [
        { config: bucket(90), state: { id: 'older' } },
        {
          // Omitted arguments keep their values.
          config: `${LOGS}resource "aws_s3_bucket" "it" {\n  bucket = "older"\n  force_destroy = true\n  tags = { A = "b" }\n}`,
          state: { versioning: [{ enabled: true, mfa_delete: false }] },
        },
      ],
      disappear: ({ id }) => s3.deleteBucket({ Bucket: String(id) }),
      remaining: buckets,
    });
  });
});
