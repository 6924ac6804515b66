import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';

describe('parts of buckets in s3', () => {
  let server: AwsServer;
  let s3: S3;

  beforeAll(async () => {
    server = await startAws();
    s3 = new S3({ ...server.options(), forcePathStyle: true });
  }, 120_000);
  afterAll(() => server.stop());

  const left = async (): Promise<readonly unknown[]> =>
    // The server begins with one.
    ((await s3.listBuckets({})).Buckets ?? []).filter(({ Name }) => Name !== 'bucket');
  const BUCKET = 'resource "aws_s3_bucket" "bucket" {\n  bucket = "jobs"\n}\n';
  const part = (type: string, lines: string): string => `${BUCKET}
resource "aws_s3_bucket_${type}" "it" {
  bucket = aws_s3_bucket.bucket.id
  ${lines}
}
`;

  it('leads an access control list through its life', { timeout: 120_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_s3_bucket_acl.it',
      config: part('acl', 'acl = "private"'),
      state: { id: 'jobs,private', bucket: 'jobs', acl: 'private' },
      updates: [
        {
          config: part('acl', 'acl = "public-read"'),
          state: { id: 'jobs,public-read', acl: 'public-read' },
        },
      ],
      left,
    });
  });

  it('leads rules for other origins through their life', { timeout: 120_000 }, async () => {
    const rules = (origin: string, more = ''): string =>
      part(
        'cors_configuration',
        `cors_rule {
    allowed_headers = ["*"]
    allowed_methods = ["PUT", "GET"]
    allowed_origins = ["${origin}"]
    max_age_seconds = 3000
  }
  ${more}`,
      );
    await resourceLife(server, {
      address: 'aws_s3_bucket_cors_configuration.it',
      config: rules('https://a.example'),
      state: { id: 'jobs', bucket: 'jobs' },
      updates: [
        {
          config: rules(
            'https://b.example',
            'cors_rule {\n    allowed_methods = ["GET"]\n    allowed_origins = ["*"]\n  }',
          ),
          state: { id: 'jobs' },
        },
      ],
      disappear: () => s3.deleteBucketCors({ Bucket: 'jobs' }),
      alsoSeen: { 'aws_s3_bucket.bucket': { cors_rule: [] } },
      left,
    });
  });

  it('leads logging through its life', { timeout: 120_000 }, async () => {
    const logging = (prefix: string): string =>
      `${part('logging', `target_bucket = aws_s3_bucket.logs.id\n  target_prefix = "${prefix}"\n  depends_on = [aws_s3_bucket_acl.logs]`)}
resource "aws_s3_bucket" "logs" {
  bucket        = "logs"
  force_destroy = true
}
resource "aws_s3_bucket_acl" "logs" {
  bucket = aws_s3_bucket.logs.id
  acl    = "log-delivery-write"
}
`;
    await resourceLife(server, {
      address: 'aws_s3_bucket_logging.it',
      config: logging('a/'),
      state: { id: 'jobs', target_bucket: 'logs', target_prefix: 'a/' },
      updates: [{ config: logging('b/'), state: { target_prefix: 'b/' } }],
      disappear: () => s3.putBucketLogging({ Bucket: 'jobs', BucketLoggingStatus: {} }),
      alsoSeen: { 'aws_s3_bucket.bucket': { logging: [] } },
      left,
    });
  });

  it('leads ownership controls through their life', { timeout: 120_000 }, async () => {
    const controls = (ownership: string): string =>
      part('ownership_controls', `rule {\n    object_ownership = "${ownership}"\n  }`);
    await resourceLife(server, {
      address: 'aws_s3_bucket_ownership_controls.it',
      config: controls('BucketOwnerPreferred'),
      state: { id: 'jobs', rule: [{ object_ownership: 'BucketOwnerPreferred' }] },
      updates: [
        {
          config: controls('ObjectWriter'),
          state: { rule: [{ object_ownership: 'ObjectWriter' }] },
        },
      ],
      disappear: () => s3.deleteBucketOwnershipControls({ Bucket: 'jobs' }),
      left,
    });
  });

  it('leads object locks through their life', { timeout: 120_000 }, async () => {
    const lock = (days: number): string =>
      part(
        'object_lock_configuration',
        `rule {
    default_retention {
      mode = "COMPLIANCE"
      days = ${days}
    }
  }`,
      ).replace('bucket = "jobs"', 'bucket = "jobs"\n  object_lock_enabled = true');
    await resourceLife(server, {
      address: 'aws_s3_bucket_object_lock_configuration.it',
      config: lock(5),
      state: { id: 'jobs', object_lock_enabled: 'Enabled' },
      updates: [{ config: lock(7), state: { id: 'jobs' } }],
      left,
    });
  });

  it('leads a website through its life', { timeout: 120_000 }, async () => {
    const index = 'index_document {\n    suffix = "index.html"\n  }';
    await resourceLife(server, {
      address: 'aws_s3_bucket_website_configuration.it',
      config: part(
        'website_configuration',
        `${index}
  error_document {
    key = "error.html"
  }
  routing_rule {
    condition {
      key_prefix_equals = "docs/"
    }
    redirect {
      replace_key_prefix_with = "documents/"
    }
  }`,
      ),
      state: {
        id: 'jobs',
        website_domain: 's3-website-eu-west-1.amazonaws.com',
        website_endpoint: 'jobs.s3-website-eu-west-1.amazonaws.com',
        routing_rules:
          '[{"Condition":{"KeyPrefixEquals":"docs/"},"Redirect":{"ReplaceKeyPrefixWith":"documents/"}}]',
      },
      updates: [
        {
          config: part(
            'website_configuration',
            'redirect_all_requests_to {\n    host_name = "example.com"\n    protocol  = "https"\n  }',
          ),
          state: { redirect_all_requests_to: [{ host_name: 'example.com', protocol: 'https' }] },
        },
      ],
      disappear: () => s3.deleteBucketWebsite({ Bucket: 'jobs' }),
      alsoSeen: { 'aws_s3_bucket.bucket': { website: [], website_endpoint: '' } },
      left,
    });
  });

  it('leads replication through its life', { timeout: 120_000 }, async () => {
    const replication = (priority: number): string => `
resource "aws_s3_bucket" "to" {
  bucket = "copies"
}
resource "aws_s3_bucket_versioning" "to" {
  bucket = aws_s3_bucket.to.id
  versioning_configuration {
    status = "Enabled"
  }
}
resource "aws_s3_bucket_versioning" "bucket" {
  bucket = aws_s3_bucket.bucket.id
  versioning_configuration {
    status = "Enabled"
  }
}
${part(
  'replication_configuration',
  `depends_on = [aws_s3_bucket_versioning.bucket, aws_s3_bucket_versioning.to]
  role = "arn:aws:iam::123456789012:role/copy"
  rule {
    status = "Enabled"
    priority = ${priority}
    filter {}
    delete_marker_replication {
      status = "Disabled"
    }
    destination {
      bucket        = aws_s3_bucket.to.arn
      storage_class = "STANDARD"
    }
  }`,
)}`;
    await resourceLife(server, {
      address: 'aws_s3_bucket_replication_configuration.it',
      config: replication(1),
      state: { id: 'jobs', role: 'arn:aws:iam::123456789012:role/copy' },
      updates: [{ config: replication(2), state: { id: 'jobs' } }],
      disappear: () => s3.deleteBucketReplication({ Bucket: 'jobs' }),
      alsoSeen: { 'aws_s3_bucket.bucket': { replication_configuration: [] } },
      left,
    });
  });

  it('leads notifications through their life', { timeout: 120_000 }, async () => {
    const notification = (lines: string): string => `
resource "aws_sqs_queue" "queue" {
  name = "jobs"
}
resource "aws_sns_topic" "topic" {
  name = "jobs"
}
${part('notification', lines)}`;
    await resourceLife(server, {
      address: 'aws_s3_bucket_notification.it',
      config: notification(`queue {
    queue_arn     = aws_sqs_queue.queue.arn
    events        = ["s3:ObjectCreated:*"]
    filter_suffix = ".log"
  }`),
      state: { id: 'jobs', eventbridge: false, topic: [] },
      updates: [
        {
          config: notification(`topic {
    id        = "removed"
    topic_arn = aws_sns_topic.topic.arn
    events    = ["s3:ObjectRemoved:*"]
  }`),
          state: { queue: [] },
        },
      ],
      left,
    });
  });

  it('leads a bucket with everything in its older blocks', { timeout: 120_000 }, async () => {
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
          // What is left out stays.
          config: `${LOGS}resource "aws_s3_bucket" "it" {\n  bucket = "older"\n  force_destroy = true\n  tags = { A = "b" }\n}`,
          state: { versioning: [{ enabled: true, mfa_delete: false }] },
        },
      ],
      left,
    });
  });
});
