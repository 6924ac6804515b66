import { strict as assert } from 'node:assert';
import { SSM } from '@aws-sdk/client-ssm';
import { awsProvider } from '@terrane/provider-aws';
import { acceptanceTest } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

describe('ssm', () => {
  let server: AwsServer;
  let ssm: SSM;

  beforeAll(async () => {
    server = await startAws();
    ssm = new SSM(server.options());
  });
  afterAll(() => server.stop());

  const remaining = async (): Promise<readonly unknown[]> =>
    (await ssm.describeParameters({})).Parameters ?? [];

  it('leads a parameter through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_ssm_parameter.it',
      config: `
resource "aws_ssm_parameter" "it" {
  name        = "/app/key"
  description = "for tests"
  type        = "SecureString"
  value       = "secret"
  tags        = { Env = "test" }
}
`,
      state: {
        id: '/app/key',
        arn: `arn:aws:ssm:eu-west-1:${ACCOUNT}:parameter/app/key`,
        value: 'secret',
        insecure_value: null,
        version: 1,
        tier: 'Standard',
        data_type: 'text',
        tags_all: { Env: 'test' },
      },
      import: { ignore: ['has_value_wo'] },
      updates: [
        {
          config: `
resource "aws_ssm_parameter" "it" {
  name        = "/app/key"
  description = "for more tests"
  type        = "SecureString"
  value       = "other"
}
`,
          state: { value: 'other', description: 'for more tests', version: 2, tags: {} },
        },
        {
          config: `
resource "aws_ssm_parameter" "it" {
  name           = "/app/key"
  type           = "String"
  insecure_value = "open"
}
`,
          state: { value: null, insecure_value: 'open', version: 3, type: 'String' },
        },
      ],
      replace: {
        config: `
resource "aws_ssm_parameter" "it" {
  name  = "/app/other"
  type  = "StringList"
  value = "a,b"
}
`,
        by: ['name'],
        state: { value: 'a,b', version: 1 },
      },
      drift: {
        change: () => ssm.putParameter({ Name: '/app/other', Value: 'b', Overwrite: true }),
        seen: { value: 'b', version: 2 },
      },
      disappear: () => ssm.deleteParameter({ Name: '/app/other' }),
      remaining,
    });
  });

  it(
    'writes values that are never stored, and reads them for a run',
    { timeout: 600_000 },
    async () => {
      const config = (secret: string, version: number): string => `${server.provider()}
resource "aws_ssm_parameter" "it" {
  name             = "token"
  type             = "SecureString"
  value_wo         = "${secret}"
  value_wo_version = ${version}
}
ephemeral "aws_ssm_parameter" "it" {
  arn = aws_ssm_parameter.it.arn
}
resource "aws_ssm_parameter" "copy" {
  name             = "copy"
  type             = "SecureString"
  value_wo         = ephemeral.aws_ssm_parameter.it.value
  value_wo_version = ${version}
}
data "aws_ssm_parameter" "it" {
  name       = aws_ssm_parameter.copy.name
  depends_on = [aws_ssm_parameter.copy]
}
output "read" {
  value = [data.aws_ssm_parameter.it.type, data.aws_ssm_parameter.it.insecure_value, tostring(data.aws_ssm_parameter.it.version)]
}
`;
      const stored = async (): Promise<string | undefined> =>
        (await ssm.getParameter({ Name: 'copy', WithDecryption: true })).Parameter?.Value;
      const state = { value: '', insecure_value: null, value_wo: null, has_value_wo: true };
      await acceptanceTest({
        providers: { 'hashicorp/aws': awsProvider },
        steps: [
          {
            config: config('first', 1),
            state: { 'aws_ssm_parameter.copy': state },
            outputs: { read: ['SecureString', '', '1'] },
          },
          {
            before: async () => assert.equal(await stored(), 'first'),
            config: config('second', 2),
            plan: { 'aws_ssm_parameter.it': 'update', 'aws_ssm_parameter.copy': 'update' },
            state: { 'aws_ssm_parameter.copy': { ...state, version: 2 } },
          },
          {
            before: async () => assert.equal(await stored(), 'second'),
            config: `${server.provider()}
resource "aws_ssm_parameter" "it" {
  name = "token"
  type = "String"
}
`,
            error: /value_wo/,
          },
        ],
        afterDestroy: async () => assert.deepEqual(await remaining(), []),
      });
    },
  );
});
