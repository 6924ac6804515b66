import { KMS } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

const POLICY = `jsonencode({
  Version = "2012-10-17"
  Statement = [{ Effect = "Allow", Principal = { AWS = ["arn:aws:iam::${ACCOUNT}:root"] }, Action = "kms:*", Resource = "*", Sid = "all" }]
})`;

describe('kms', () => {
  let server: AwsServer;
  let kms: KMS;

  beforeAll(async () => {
    server = await startAws();
    kms = new KMS(server.options());
  });
  afterAll(() => server.stop());

  const living = async (): Promise<readonly unknown[]> => {
    const { Keys = [] } = await kms.listKeys({});
    const keys = await Promise.all(
      Keys.map(async ({ KeyId }) => (await kms.describeKey({ KeyId })).KeyMetadata),
    );
    return keys.filter((key) => key?.KeyState !== 'PendingDeletion');
  };

  it('leads a key through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_kms_key.it',
      config: `
resource "aws_kms_key" "it" {
  description             = "for tests"
  deletion_window_in_days = 7
  tags                    = { Env = "test" }
}
`,
      state: {
        arn: new RegExp(`^arn:aws:kms:eu-west-1:${ACCOUNT}:key/`),
        customer_master_key_spec: 'SYMMETRIC_DEFAULT',
        enable_key_rotation: false,
        is_enabled: true,
        multi_region: false,
        tags_all: { Env: 'test' },
      },
      import: { ignore: ['deletion_window_in_days', 'bypass_policy_lockout_safety_check'] },
      updates: [
        {
          config: `
resource "aws_kms_key" "it" {
  description             = "for more tests"
  deletion_window_in_days = 7
  enable_key_rotation     = true
  policy                  = ${POLICY}
  tags                    = { Env = "more" }
}
`,
          state: {
            description: 'for more tests',
            enable_key_rotation: true,
            policy: /"kms:\*"/,
            tags: { Env: 'more' },
          },
        },
        {
          config: `
resource "aws_kms_key" "it" {
  description             = "for more tests"
  deletion_window_in_days = 7
  is_enabled              = false
}
`,
          state: { is_enabled: false, enable_key_rotation: false, tags: {} },
        },
      ],
      replace: {
        config: `
resource "aws_kms_key" "it" {
  customer_master_key_spec = "RSA_2048"
  key_usage                = "SIGN_VERIFY"
}
`,
        by: ['customer_master_key_spec', 'key_usage'],
        state: { key_usage: 'SIGN_VERIFY' },
      },
      drift: {
        change: (key) =>
          kms.updateKeyDescription({ KeyId: String(key['id']), Description: 'changed' }),
        seen: { description: 'changed' },
        plan: 'no-op',
      },
      disappear: (key) => kms.scheduleKeyDeletion({ KeyId: String(key['id']) }),
      remaining: living,
    });
  });

  it('leads an alias through its life', { timeout: 600_000 }, async () => {
    const keys = `
resource "aws_kms_key" "a" {}
resource "aws_kms_key" "b" {}
`;
    await resourceLife(server, {
      address: 'aws_kms_alias.it',
      config: `${keys}
resource "aws_kms_alias" "it" {
  name          = "alias/it"
  target_key_id = aws_kms_key.a.key_id
}
`,
      state: {
        id: 'alias/it',
        arn: `arn:aws:kms:eu-west-1:${ACCOUNT}:alias/it`,
        target_key_arn: /:key\//,
      },
      updates: [
        {
          config: `${keys}
resource "aws_kms_alias" "it" {
  name          = "alias/it"
  target_key_id = aws_kms_key.b.arn
}
`,
          state: { target_key_id: /^arn:/ },
        },
      ],
      replace: {
        config: `${keys}
resource "aws_kms_alias" "it" {
  name_prefix   = "alias/some-"
  target_key_id = aws_kms_key.b.arn
}
`,
        by: ['name_prefix'],
        state: { name: /^alias\/some-\d{18}/ },
      },
      drift: {
        change: async ({ name, target_key_arn: target }) => {
          const { Keys = [] } = await kms.listKeys({});
          const keys = await Promise.all(
            Keys.map(async ({ KeyId }) => (await kms.describeKey({ KeyId })).KeyMetadata),
          );
          const other = keys.find((key) => key?.Enabled === true && key.Arn !== target);
          await kms.updateAlias({ AliasName: String(name), TargetKeyId: other?.KeyId });
        },
        seen: { target_key_id: /-/ },
      },
      disappear: (alias) => kms.deleteAlias({ AliasName: String(alias['name']) }),
      remaining: async () =>
        ((await kms.listAliases({})).Aliases ?? []).filter(
          ({ AliasName = '' }) => !AliasName.startsWith('alias/aws/'),
        ),
    });
  });
});
