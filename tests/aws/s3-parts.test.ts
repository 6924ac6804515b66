import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bucketsIn, elsewhere, partOf } from './bucket-parts.ts';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

// No two files have buckets of a name: the server has them for all accounts.
const NAME = 'parts';
const Bucket = `other-${NAME}`;

describe('parts of buckets in s3', () => {
  let server: AwsServer;
  let s3: S3;

  beforeAll(async () => {
    server = await startAws();
    s3 = new S3({ ...server.options(), forcePathStyle: true });
  });
  afterAll(() => server.stop());

  const remaining = (): Promise<readonly unknown[]> => bucketsIn(s3);
  const part = (type: string, lines: string): string => partOf(NAME, type, lines);

  it('leads the versioning of a bucket through its life', { timeout: 600_000 }, async () => {
    const versioning = (status: string): string => `${part(
      'versioning',
      `versioning_configuration {\n    status = "${status}"\n  }`,
    )}
data "aws_s3_bucket" "found" {
  bucket = aws_s3_bucket.bucket.id
}
`;
    await resourceLife(server, {
      address: 'aws_s3_bucket_versioning.it',
      config: versioning('Enabled'),
      state: { id: NAME, bucket: NAME },
      updates: [{ config: versioning('Suspended'), state: { id: NAME } }],
      replace: elsewhere(versioning('Suspended')),
      drift: {
        change: () =>
          s3.putBucketVersioning({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
        seen: { versioning_configuration: [{ mfa_delete: '', status: 'Enabled' }] },
        alsoSeen: {
          'aws_s3_bucket.other': { versioning: [{ enabled: true, mfa_delete: false }] },
        },
      },
      // Versioning can only be suspended: it is removed together with the bucket.
      disappear: () => s3.deleteBucket({ Bucket }),
      alsoGone: ['aws_s3_bucket.other'],
      remaining,
    });
  });

  it('leads rules for other origins through their life', { timeout: 600_000 }, async () => {
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
    const last = rules(
      'https://b.example',
      'cors_rule {\n    allowed_methods = ["GET"]\n    allowed_origins = ["*"]\n  }',
    );
    const seen = { cors_rule: [{ allowed_origins: ['https://c.example'], max_age_seconds: 0 }] };
    await resourceLife(server, {
      address: 'aws_s3_bucket_cors_configuration.it',
      config: rules('https://a.example'),
      state: { id: NAME, bucket: NAME },
      updates: [{ config: last, state: { id: NAME } }],
      replace: elsewhere(last),
      drift: {
        change: () =>
          s3.putBucketCors({
            Bucket,
            CORSConfiguration: {
              CORSRules: [{ AllowedMethods: ['GET'], AllowedOrigins: ['https://c.example'] }],
            },
          }),
        seen,
        alsoSeen: { 'aws_s3_bucket.other': seen },
      },
      disappear: () => s3.deleteBucketCors({ Bucket }),
      alsoSeen: { 'aws_s3_bucket.other': { cors_rule: [] } },
      remaining,
    });
  });

  it('leads logging through its life', { timeout: 600_000 }, async () => {
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
    const seen = { target_bucket: 'logs', target_prefix: 'z/' };
    await resourceLife(server, {
      address: 'aws_s3_bucket_logging.it',
      config: logging('a/'),
      state: { id: NAME, target_bucket: 'logs', target_prefix: 'a/' },
      updates: [{ config: logging('b/'), state: { target_prefix: 'b/' } }],
      replace: elsewhere(logging('b/')),
      drift: {
        change: () =>
          s3.putBucketLogging({
            Bucket,
            BucketLoggingStatus: { LoggingEnabled: { TargetBucket: 'logs', TargetPrefix: 'z/' } },
          }),
        seen,
        alsoSeen: { 'aws_s3_bucket.other': { logging: [seen] } },
      },
      disappear: () => s3.putBucketLogging({ Bucket, BucketLoggingStatus: {} }),
      alsoSeen: { 'aws_s3_bucket.other': { logging: [] } },
      remaining,
    });
  });

  it('leads a website through its life', { timeout: 600_000 }, async () => {
    const index = 'index_document {\n    suffix = "index.html"\n  }';
    const last = part(
      'website_configuration',
      'redirect_all_requests_to {\n    host_name = "example.com"\n    protocol  = "https"\n  }',
    );
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
        id: NAME,
        website_domain: 's3-website-eu-west-1.amazonaws.com',
        website_endpoint: `${NAME}.s3-website-eu-west-1.amazonaws.com`,
        routing_rules:
          '[{"Condition":{"KeyPrefixEquals":"docs/"},"Redirect":{"ReplaceKeyPrefixWith":"documents/"}}]',
      },
      updates: [
        {
          config: last,
          state: { redirect_all_requests_to: [{ host_name: 'example.com', protocol: 'https' }] },
        },
      ],
      replace: elsewhere(last),
      drift: {
        change: () =>
          s3.putBucketWebsite({
            Bucket,
            WebsiteConfiguration: {
              RedirectAllRequestsTo: { HostName: 'example.org', Protocol: 'https' },
            },
          }),
        seen: { redirect_all_requests_to: [{ host_name: 'example.org', protocol: 'https' }] },
        alsoSeen: {
          'aws_s3_bucket.other': { website: [{ redirect_all_requests_to: 'https://example.org' }] },
        },
      },
      disappear: () => s3.deleteBucketWebsite({ Bucket }),
      alsoSeen: { 'aws_s3_bucket.other': { website: [], website_endpoint: '' } },
      remaining,
    });
  });

  it('leads replication through its life', { timeout: 600_000 }, async () => {
    const versioning = (label: string): string => `
resource "aws_s3_bucket_versioning" "${label}" {
  bucket = aws_s3_bucket.${label}.id
  versioning_configuration {
    status = "Enabled"
  }
}
`;
    const replication = (priority: number, label = 'bucket'): string => `
resource "aws_s3_bucket" "to" {
  bucket = "copies"
}
${versioning('to')}${versioning('bucket')}${part(
      'replication_configuration',
      `depends_on = [aws_s3_bucket_versioning.${label}, aws_s3_bucket_versioning.to]
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
      state: { id: NAME, role: 'arn:aws:iam::123456789012:role/copy' },
      updates: [{ config: replication(2), state: { rule: [{ priority: 2 }] } }],
      replace: elsewhere(versioning('other') + replication(2, 'other'), [
        'aws_s3_bucket_versioning.other',
      ]),
      drift: {
        change: async () => {
          const { ReplicationConfiguration: configuration } = await s3.getBucketReplication({
            Bucket,
          });
          const Rules = configuration?.Rules?.map((rule) => ({ ...rule, Priority: 7 }));
          await s3.putBucketReplication({
            Bucket,
            ReplicationConfiguration: { Role: configuration?.Role, Rules },
          });
        },
        seen: { rule: [{ priority: 7 }] },
        alsoSeen: { 'aws_s3_bucket.other': {} },
      },
      disappear: () => s3.deleteBucketReplication({ Bucket }),
      alsoSeen: { 'aws_s3_bucket.other': { replication_configuration: [] } },
      remaining,
    });
  });

  it('leads notifications through their life', { timeout: 600_000 }, async () => {
    const notification = (lines: string): string => `
resource "aws_sqs_queue" "queue" {
  name = "jobs"
}
resource "aws_sns_topic" "topic" {
  name = "jobs"
}
${part('notification', lines)}`;
    const last = notification(`topic {
    id        = "removed"
    topic_arn = aws_sns_topic.topic.arn
    events    = ["s3:ObjectRemoved:*"]
  }`);
    await resourceLife(server, {
      address: 'aws_s3_bucket_notification.it',
      config: notification(`queue {
    queue_arn     = aws_sqs_queue.queue.arn
    events        = ["s3:ObjectCreated:*"]
    filter_suffix = ".log"
  }`),
      state: { id: NAME, eventbridge: false, topic: [] },
      updates: [{ config: last, state: { queue: [] } }],
      replace: elsewhere(last),
      drift: {
        change: () =>
          s3.putBucketNotificationConfiguration({
            Bucket,
            NotificationConfiguration: {
              TopicConfigurations: [
                {
                  Id: 'removed',
                  TopicArn: `arn:aws:sns:eu-west-1:${ACCOUNT}:jobs`,
                  Events: ['s3:ObjectRemoved:Delete'],
                },
              ],
            },
          }),
        seen: { topic: [{ id: 'removed', events: ['s3:ObjectRemoved:Delete'] }] },
      },
      // A bucket always has them, be they none: they go with the bucket.
      disappear: () => s3.deleteBucket({ Bucket }),
      alsoGone: ['aws_s3_bucket.other'],
      remaining,
    });
  });

  it('leads the lifecycle rules of a bucket through their life', { timeout: 600_000 }, async () => {
    const rules = (days: number, more = ''): string =>
      part(
        'lifecycle_configuration',
        `rule {
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
  ${more}`,
      );
    const last = rules(
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
    );
    await resourceLife(server, {
      address: 'aws_s3_bucket_lifecycle_configuration.it',
      config: rules(90),
      state: { id: NAME, bucket: NAME },
      updates: [{ config: last, state: { id: NAME } }],
      replace: elsewhere(last),
      drift: {
        change: () =>
          s3.putBucketLifecycleConfiguration({
            Bucket,
            LifecycleConfiguration: {
              Rules: [
                {
                  ID: 'tagged',
                  Status: 'Enabled',
                  Filter: { Prefix: 'x/' },
                  Expiration: { Days: 1 },
                },
              ],
            },
          }),
        seen: { rule: [{ id: 'tagged', status: 'Enabled', expiration: [{ days: 1 }] }] },
        alsoSeen: { 'aws_s3_bucket.other': { lifecycle_rule: [{ id: 'tagged', enabled: true }] } },
      },
      disappear: () => s3.deleteBucketLifecycle({ Bucket }),
      alsoSeen: { 'aws_s3_bucket.other': { lifecycle_rule: [] } },
      remaining,
    });
  });
});
