import { strict as assert } from 'node:assert';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { awsProvider } from '@terrane/provider-aws';
import { acceptanceTest, inAnyOrder } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

const POLICY = `jsonencode({
  Version = "2012-10-17"
  Statement = [{ Effect = "Allow", Principal = { AWS = "arn:aws:iam::${ACCOUNT}:root" }, Action = "secretsmanager:GetSecretValue", Resource = "*" }]
})`;

describe('secretsmanager', () => {
  let server: AwsServer;
  let secrets: SecretsManager;

  beforeAll(async () => {
    server = await startAws();
    secrets = new SecretsManager(server.options());
  });
  afterAll(() => server.stop());

  const remaining = async (): Promise<readonly unknown[]> =>
    (await secrets.listSecrets({})).SecretList ?? [];

  it('leads a secret through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_secretsmanager_secret.it',
      config: `
resource "aws_secretsmanager_secret" "it" {
  name                    = "it"
  description             = "for tests"
  recovery_window_in_days = 0
  tags                    = { Env = "test" }
}
`,
      state: {
        arn: new RegExp(`^arn:aws:secretsmanager:eu-west-1:${ACCOUNT}:secret:it-`),
        name_prefix: '',
        recovery_window_in_days: 0,
        tags_all: { Env: 'test' },
        replica: [],
      },
      import: { ignore: ['recovery_window_in_days', 'force_overwrite_replica_secret'] },
      updates: [
        {
          config: `
resource "aws_secretsmanager_secret" "it" {
  name                    = "it"
  description             = "for more tests"
  recovery_window_in_days = 0
  policy                  = ${POLICY}
}
`,
          state: { description: 'for more tests', policy: /GetSecretValue/, tags: {} },
        },
      ],
      replace: {
        config: `
resource "aws_secretsmanager_secret" "it" {
  name_prefix             = "some-"
  # The server does not take a description away.
  description             = "for tests"
  recovery_window_in_days = 0
}
`,
        by: ['name_prefix'],
        state: { name: /^some-\d{18}/ },
      },
      drift: {
        change: (secret) =>
          secrets.updateSecret({ SecretId: String(secret['id']), Description: 'odd' }),
        seen: { description: 'odd' },
      },
      disappear: (secret) =>
        secrets.deleteSecret({ SecretId: String(secret['id']), ForceDeleteWithoutRecovery: true }),
      remaining,
    });
  });

  it('leads a version of a secret through its life', { timeout: 600_000 }, async () => {
    const secret = `
resource "aws_secretsmanager_secret" "it" {
  name                    = "versioned"
  recovery_window_in_days = 0
}
`;
    await resourceLife(server, {
      address: 'aws_secretsmanager_secret_version.it',
      config: `${secret}
resource "aws_secretsmanager_secret_version" "it" {
  secret_id     = aws_secretsmanager_secret.it.id
  secret_string = jsonencode({ user = "me", password = "secret" })
}
`,
      state: {
        secret_string: '{"password":"secret","user":"me"}',
        version_stages: ['AWSCURRENT'],
        has_secret_string_wo: null,
      },
      import: { ignore: ['has_secret_string_wo'] },
      updates: [
        {
          config: `${secret}
resource "aws_secretsmanager_secret_version" "it" {
  secret_id      = aws_secretsmanager_secret.it.id
  secret_string  = jsonencode({ user = "me", password = "secret" })
  version_stages = ["AWSCURRENT", "blue"]
}
`,
          state: { version_stages: inAnyOrder('AWSCURRENT', 'blue') },
        },
      ],
      replace: {
        config: `${secret}
resource "aws_secretsmanager_secret_version" "it" {
  secret_id     = aws_secretsmanager_secret.it.id
  secret_binary = base64encode("bytes")
}
`,
        by: ['secret_binary', 'secret_string'],
        state: { secret_binary: 'Ynl0ZXM=', secret_string: '' },
      },
      drift: {
        change: ({ secret_id: id, version_id: version }) =>
          secrets.updateSecretVersionStage({
            SecretId: String(id),
            VersionStage: 'odd',
            MoveToVersionId: String(version),
          }),
        seen: { version_stages: inAnyOrder('AWSCURRENT', 'odd') },
        // Labels that are not written are not compared.
        plan: 'no-op',
      },
      // A version in use cannot be deleted: it goes with its secret.
      disappear: ({ secret_id: id }) =>
        secrets.deleteSecret({ SecretId: String(id), ForceDeleteWithoutRecovery: true }),
      alsoGone: ['aws_secretsmanager_secret.it'],
      remaining,
    });
  });

  it(
    'writes secrets that are never stored, and reads them for a run',
    { timeout: 600_000 },
    async () => {
      const config = (secret: string, version: number): string => `${server.provider()}
resource "aws_secretsmanager_secret" "it" {
  name                    = "write-only"
  recovery_window_in_days = 0
}
resource "aws_secretsmanager_secret_version" "it" {
  secret_id                = aws_secretsmanager_secret.it.id
  secret_string_wo         = "${secret}"
  secret_string_wo_version = ${version}
}
ephemeral "aws_secretsmanager_secret_version" "it" {
  secret_id  = aws_secretsmanager_secret_version.it.secret_id
  version_id = aws_secretsmanager_secret_version.it.version_id
}
resource "aws_secretsmanager_secret" "copy" {
  name                    = "copy"
  recovery_window_in_days = 0
}
resource "aws_secretsmanager_secret_version" "copy" {
  secret_id                = aws_secretsmanager_secret.copy.id
  secret_string_wo         = ephemeral.aws_secretsmanager_secret_version.it.secret_string
  secret_string_wo_version = ${version}
}
`;
      const stored = async (): Promise<string | undefined> =>
        (await secrets.getSecretValue({ SecretId: 'copy' })).SecretString;
      const state = { secret_string: '', secret_string_wo: null, has_secret_string_wo: true };
      await acceptanceTest({
        providers: { 'hashicorp/aws': awsProvider },
        steps: [
          {
            config: config('first', 1),
            state: { 'aws_secretsmanager_secret_version.copy': state },
          },
          {
            before: async () => assert.equal(await stored(), 'first'),
            config: config('second', 2),
            plan: {
              'aws_secretsmanager_secret_version.it': 'replace',
              'aws_secretsmanager_secret_version.copy': 'replace',
            },
            state: { 'aws_secretsmanager_secret_version.copy': state },
          },
          {
            refresh: true,
            before: async () => assert.equal(await stored(), 'second'),
          },
        ],
        afterDestroy: async () => assert.deepEqual(await remaining(), []),
      });
    },
  );
});
