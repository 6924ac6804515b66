import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lambda } from '@aws-sdk/client-lambda';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

describe('lambda', () => {
  let server: AwsServer;
  let lambda: Lambda;
  let folder: string;
  let file: string;
  let other: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'terrane-lambda-'));
    [file, other] = [join(folder, 'one.zip'), join(folder, 'two.zip')];
    await writeFile(file, zipSync({ 'index.js': strToU8('exports.handler = () => 1') }));
    await writeFile(other, zipSync({ 'index.js': strToU8('exports.handler = () => 2') }));
    server = await startAws();
    lambda = new Lambda(server.options());
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const ROLE = `
resource "aws_iam_role" "role" {
  name               = "worker"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "lambda.amazonaws.com" } }]
  })
}
`;
  const definition = (name: string, label: string, zip: string, more = ''): string => `${ROLE}
resource "aws_lambda_function" "${label}" {
  function_name    = "${name}"
  role             = aws_iam_role.role.arn
  handler          = "index.handler"
  runtime          = "nodejs20.x"
  filename         = "${zip}"
  source_code_hash = filebase64sha256("${zip}")
  ${more}
}
`;
  const functions = async (): Promise<readonly unknown[]> =>
    (await lambda.listFunctions({})).Functions ?? [];

  it('leads a function through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_lambda_function.it',
      config: definition(
        'jobs',
        'it',
        file,
        'environment {\n    variables = { KIND = "a" }\n  }\n  tags = { Env = "test" }',
      ),
      state: {
        id: 'jobs',
        arn: `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:jobs`,
        invoke_arn: `arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-west-1:${ACCOUNT}:function:jobs/invocations`,
        memory_size: 128,
        timeout: 3,
        package_type: 'Zip',
        version: '$LATEST',
        tags_all: { Env: 'test' },
      },
      import: { ignore: ['filename'] },
      updates: [
        {
          config: definition('jobs', 'it', other, 'memory_size = 256\n  timeout = 10'),
          state: { memory_size: 256, timeout: 10, tags_all: {} },
        },
      ],
      replace: {
        config: definition('others', 'it', other),
        by: ['function_name'],
        state: { id: 'others' },
      },
      drift: {
        change: () =>
          lambda.updateFunctionConfiguration({ FunctionName: 'others', MemorySize: 512 }),
        seen: { memory_size: 512 },
      },
      disappear: () => lambda.deleteFunction({ FunctionName: 'others' }),
      remaining: functions,
    });
  });

  it('leads a permission through its life', { timeout: 600_000 }, async () => {
    const permission = (lines: string): string => `${definition('called', 'called', file)}
resource "aws_lambda_permission" "it" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.called.function_name
  principal     = "events.amazonaws.com"
  ${lines}
}
`;
    await resourceLife(server, {
      address: 'aws_lambda_permission.it',
      config: permission(
        `statement_id = "Events"\n  source_arn = "arn:aws:events:eu-west-1:${ACCOUNT}:rule/x"`,
      ),
      state: {
        id: 'Events',
        function_name: 'called',
        source_arn: `arn:aws:events:eu-west-1:${ACCOUNT}:rule/x`,
      },
      import: { id: ({ statement_id: id }) => `called/${String(id)}` },
      replace: {
        config: permission('statement_id_prefix = "Events-"'),
        by: ['source_arn', 'statement_id_prefix'],
        state: { statement_id: /^Events-\d{18}/ },
      },
      drift: {
        // A statement is changed by another one of its name.
        change: async ({ id }) => {
          const called = { FunctionName: 'called', StatementId: String(id) };
          await lambda.removePermission(called);
          await lambda.addPermission({
            ...called,
            Action: 'lambda:InvokeFunction',
            Principal: 's3.amazonaws.com',
          });
        },
        seen: { principal: 's3.amazonaws.com' },
        plan: 'replace',
      },
      without: { updates: 'all of its arguments need a replacement' },
      disappear: ({ id }) =>
        lambda.removePermission({ FunctionName: 'called', StatementId: String(id) }),
      remaining: functions,
    });
  });

  it('leads a mapping of events through its life', { timeout: 600_000 }, async () => {
    const mapping = (
      lines: string,
      queue = 'queue',
    ): string => `${definition('jobs', 'function', file)}
resource "aws_sqs_queue" "queue" {
  name = "jobs"
}
resource "aws_sqs_queue" "other" {
  name = "others"
}
resource "aws_lambda_event_source_mapping" "it" {
  event_source_arn = aws_sqs_queue.${queue}.arn
  function_name    = aws_lambda_function.function.function_name
  ${lines}
}
`;
    await resourceLife(server, {
      address: 'aws_lambda_event_source_mapping.it',
      config: mapping('batch_size = 5'),
      state: { batch_size: 5, enabled: true, function_name: 'jobs', state: 'Enabled' },
      import: { ignore: ['function_name'] },
      updates: [{ config: mapping('batch_size = 7\n  enabled = false'), state: { batch_size: 7 } }],
      replace: { config: mapping('batch_size = 7', 'other'), by: ['event_source_arn'] },
      drift: {
        change: ({ uuid }) => lambda.updateEventSourceMapping({ UUID: String(uuid), BatchSize: 9 }),
        seen: { batch_size: 9 },
      },
      disappear: ({ uuid }) => lambda.deleteEventSourceMapping({ UUID: String(uuid) }),
      remaining: async () => (await lambda.listEventSourceMappings({})).EventSourceMappings ?? [],
    });
  });

  it(
    'leads a function whose code is in a bucket through its life',
    { timeout: 600_000 },
    async () => {
      const stored = (zip: string, more = ''): string => `${ROLE}
resource "aws_s3_bucket" "code" {
  bucket        = "code"
  force_destroy = true
}
resource "aws_s3_object" "code" {
  bucket      = aws_s3_bucket.code.id
  key         = "code.zip"
  source      = "${zip}"
  source_hash = filebase64sha256("${zip}")
}
resource "aws_lambda_function" "it" {
  function_name    = "stored"
  role             = aws_iam_role.role.arn
  handler          = "index.handler"
  runtime          = "nodejs20.x"
  s3_bucket        = aws_s3_object.code.bucket
  s3_key           = aws_s3_object.code.key
  source_code_hash = filebase64sha256("${zip}")
  ${more}
}
`;
      await resourceLife(server, {
        address: 'aws_lambda_function.it',
        config: stored(file),
        state: { id: 'stored', package_type: 'Zip' },
        import: { ignore: ['s3_bucket', 's3_key', 'publish'] },
        updates: [{ config: stored(file, 'timeout = 9'), state: { timeout: 9 } }],
        remaining: functions,
      });
    },
  );

  it(
    'leads a function that is an image in a network through its life',
    { timeout: 600_000 },
    async () => {
      const image = (timeout: number): string => `${ROLE}
resource "aws_vpc" "net" {
  cidr_block = "10.0.0.0/16"
}
resource "aws_subnet" "net" {
  vpc_id     = aws_vpc.net.id
  cidr_block = "10.0.1.0/24"
}
resource "aws_security_group" "net" {
  name   = "function"
  vpc_id = aws_vpc.net.id
}
resource "aws_lambda_function" "it" {
  function_name = "image"
  role          = aws_iam_role.role.arn
  package_type  = "Image"
  timeout       = ${timeout}
  image_uri     = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/jobs:1"
  image_config {
    command = ["a.handler"]
  }
  vpc_config {
    subnet_ids         = [aws_subnet.net.id]
    security_group_ids = [aws_security_group.net.id]
  }
}
`;
      await resourceLife(server, {
        address: 'aws_lambda_function.it',
        config: image(5),
        state: { id: 'image', package_type: 'Image' },
        import: { ignore: ['publish'] },
        updates: [{ config: image(6), state: { timeout: 6 } }],
        remaining: functions,
      });
    },
  );
});
