import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bucketsIn, elsewhere, partOf } from './bucket-parts.ts';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';

// No two files have buckets of a name: the server has them for all accounts.
const NAME = 'guarded';
const Bucket = `other-${NAME}`;

describe('access control of buckets in s3', () => {
  let server: AwsServer;
  let s3: S3;

  beforeAll(async () => {
    server = await startAws();
    s3 = new S3({ ...server.options(), forcePathStyle: true });
  });
  afterAll(() => server.stop());

  const remaining = (): Promise<readonly unknown[]> => bucketsIn(s3);

  it('leads an access control list through its life', { timeout: 600_000 }, async () => {
    const acl = (name: string): string => partOf(NAME, 'acl', `acl = "${name}"`);
    await resourceLife(server, {
      address: 'aws_s3_bucket_acl.it',
      config: acl('private'),
      state: { id: `${NAME},private`, bucket: NAME, acl: 'private' },
      updates: [
        { config: acl('public-read'), state: { id: `${NAME},public-read`, acl: 'public-read' } },
      ],
      replace: elsewhere(acl('private')),
      drift: {
        change: () => s3.putBucketAcl({ Bucket, ACL: 'public-read' }),
        seen: {
          acl: 'private',
          access_control_policy: (policy) => JSON.stringify(policy).includes('AllUsers'),
        },
        alsoSeen: { 'aws_s3_bucket.other': {} },
        // The grants that a canned ACL stands for are not compared.
        plan: 'no-op',
      },
      // A bucket always has one: it goes with the bucket.
      disappear: () => s3.deleteBucket({ Bucket }),
      alsoGone: ['aws_s3_bucket.other'],
      remaining,
    });
  });

  it('leads ownership controls through their life', { timeout: 600_000 }, async () => {
    const controls = (ownership: string): string =>
      partOf(NAME, 'ownership_controls', `rule {\n    object_ownership = "${ownership}"\n  }`);
    await resourceLife(server, {
      address: 'aws_s3_bucket_ownership_controls.it',
      config: controls('BucketOwnerPreferred'),
      state: { id: NAME, rule: [{ object_ownership: 'BucketOwnerPreferred' }] },
      updates: [
        {
          config: controls('ObjectWriter'),
          state: { rule: [{ object_ownership: 'ObjectWriter' }] },
        },
      ],
      replace: elsewhere(controls('ObjectWriter')),
      drift: {
        change: () =>
          s3.putBucketOwnershipControls({
            Bucket,
            OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
          }),
        seen: { rule: [{ object_ownership: 'BucketOwnerEnforced' }] },
      },
      disappear: () => s3.deleteBucketOwnershipControls({ Bucket }),
      remaining,
    });
  });

  it('leads the policy of a bucket through its life', { timeout: 600_000 }, async () => {
    const document = (action: string): string =>
      `{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"${action}","Resource":"arn:aws:s3:::${NAME}/*"}]}`;
    const policy = (action: string): string =>
      partOf(NAME, 'policy', `policy = jsonencode(${document(action).replaceAll(':"', '="')})`);
    await resourceLife(server, {
      address: 'aws_s3_bucket_policy.it',
      config: policy('s3:PutObject'),
      state: { id: NAME, policy: /PutObject/ },
      updates: [{ config: policy('s3:DeleteObject'), state: { policy: /DeleteObject/ } }],
      replace: elsewhere(policy('s3:DeleteObject')),
      drift: {
        change: () => s3.putBucketPolicy({ Bucket, Policy: document('s3:GetObject') }),
        seen: { policy: /GetObject/ },
        alsoSeen: { 'aws_s3_bucket.other': { policy: /GetObject/ } },
      },
      disappear: () => s3.deleteBucketPolicy({ Bucket }),
      alsoSeen: { 'aws_s3_bucket.other': { policy: '' } },
      remaining,
    });
  });

  it(
    'leads the public access block of a bucket through its life',
    { timeout: 600_000 },
    async () => {
      const block = (lines: string): string => partOf(NAME, 'public_access_block', lines);
      await resourceLife(server, {
        address: 'aws_s3_bucket_public_access_block.it',
        config: block('block_public_acls = true'),
        state: { id: NAME, block_public_acls: true, block_public_policy: false },
        updates: [
          {
            config: block('restrict_public_buckets = true'),
            state: { block_public_acls: false, restrict_public_buckets: true },
          },
        ],
        replace: elsewhere(block('restrict_public_buckets = true')),
        drift: {
          change: () =>
            s3.putPublicAccessBlock({
              Bucket,
              PublicAccessBlockConfiguration: { IgnorePublicAcls: true },
            }),
          seen: { ignore_public_acls: true, restrict_public_buckets: false },
        },
        disappear: () => s3.deletePublicAccessBlock({ Bucket }),
        remaining,
      });
    },
  );

  it('leads the encryption of a bucket through its life', { timeout: 600_000 }, async () => {
    const encryption = (algorithm: string, more = ''): string =>
      partOf(
        NAME,
        'server_side_encryption_configuration',
        `rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "${algorithm}"
    }
    ${more}
  }`,
      );
    const last = encryption('aws:kms', 'bucket_key_enabled = true');
    const seen = {
      rule: [{ apply_server_side_encryption_by_default: [{ sse_algorithm: 'AES256' }] }],
    };
    await resourceLife(server, {
      address: 'aws_s3_bucket_server_side_encryption_configuration.it',
      config: encryption('AES256'),
      state: { id: NAME },
      updates: [{ config: last, state: {} }],
      replace: elsewhere(last),
      drift: {
        change: () =>
          s3.putBucketEncryption({
            Bucket,
            ServerSideEncryptionConfiguration: {
              Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
            },
          }),
        seen,
        alsoSeen: { 'aws_s3_bucket.other': {} },
      },
      disappear: () => s3.deleteBucketEncryption({ Bucket }),
      alsoSeen: { 'aws_s3_bucket.other': { server_side_encryption_configuration: [] } },
      remaining,
    });
  });

  it('leads object locks through their life', { timeout: 600_000 }, async () => {
    const lock = (days: number): string =>
      partOf(
        NAME,
        'object_lock_configuration',
        `rule {
    default_retention {
      mode = "COMPLIANCE"
      days = ${days}
    }
  }`,
        'object_lock_enabled = true',
      );
    const retention = (days: number) => [{ default_retention: [{ mode: 'COMPLIANCE', days }] }];
    await resourceLife(server, {
      address: 'aws_s3_bucket_object_lock_configuration.it',
      config: lock(5),
      state: { id: NAME, object_lock_enabled: 'Enabled', rule: retention(5) },
      updates: [{ config: lock(7), state: { rule: retention(7) } }],
      replace: elsewhere(lock(7)),
      drift: {
        change: () =>
          s3.putObjectLockConfiguration({
            Bucket,
            ObjectLockConfiguration: {
              ObjectLockEnabled: 'Enabled',
              Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 9 } },
            },
          }),
        seen: { rule: retention(9) },
        alsoSeen: { 'aws_s3_bucket.other': {} },
      },
      // Object lock cannot be disabled: it is removed together with the bucket.
      disappear: () => s3.deleteBucket({ Bucket }),
      alsoGone: ['aws_s3_bucket.other'],
      remaining,
    });
  });
});
