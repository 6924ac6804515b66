// Services that work together in whole configurations: applied, changed and destroyed.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, it } from 'vitest';
import { stackRuns } from './stack-runs.ts';

describe('a stack', () => {
  const { run, step } = stackRuns();
  const example = fileURLToPath(new URL('../../examples/aws-queue-function', import.meta.url));
  const archive = join(example, 'function.zip');

  beforeAll(() => {
    execFileSync(join(example, 'build.sh'));
  });

  it('of a queue that drives a function', { timeout: 600_000 }, async () => {
    const stack = (most: number, more = ''): string => `
data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}
data "aws_iam_policy_document" "work" {
  statement {
    actions   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"]
    resources = [aws_sqs_queue.jobs.arn]
  }
  statement {
    sid       = "Logs"
    actions   = ["logs:*"]
    resources = ["*"]
    condition {
      test     = "StringEquals"
      variable = "aws:RequestedRegion"
      values   = ["eu-west-1"]
    }
  }
}
resource "aws_sqs_queue" "dead" {
  name                      = "dead"
  message_retention_seconds = 1209600
}
resource "aws_sqs_queue" "jobs" {
  name = "jobs"
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = ${most}
  })
  visibility_timeout_seconds = 60
}
resource "aws_iam_role" "worker" {
  name               = "worker"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}
resource "aws_iam_role_policy" "work" {
  role   = aws_iam_role.worker.id
  policy = data.aws_iam_policy_document.work.json
}
resource "aws_cloudwatch_log_group" "worker" {
  name              = "/aws/lambda/worker"
  retention_in_days = 14
}
resource "aws_lambda_function" "worker" {
  function_name = "worker"
  role          = aws_iam_role.worker.arn
  handler       = "index.handler"
  runtime       = "nodejs20.x"
  filename      = "${archive}"
  ${more}
  environment {
    variables = { QUEUE = aws_sqs_queue.jobs.url }
  }
  depends_on = [aws_cloudwatch_log_group.worker]
}
resource "aws_lambda_event_source_mapping" "jobs" {
  event_source_arn = aws_sqs_queue.jobs.arn
  function_name    = aws_lambda_function.worker.arn
  batch_size       = 5
}
resource "aws_lambda_permission" "events" {
  statement_id  = "events"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.worker.function_name
  principal     = "events.amazonaws.com"
}
`;
    await run(
      step(stack(3)),
      step(stack(5, 'memory_size = 256\n  timeout = 30\n  description = "works"'), {
        plan: {
          'aws_sqs_queue.jobs': 'update',
          'aws_lambda_function.worker': 'update',
          // The value is known when the queue is changed.
          'aws_iam_role_policy.work': 'update',
        },
      }),
      step(stack(5, 'architectures = ["x86_64"]')),
    );
  });

  it('of a service that scales', { timeout: 600_000 }, async () => {
    const stack = (count: number, most: number, image = 'nginx:1'): string => `
resource "aws_ecs_cluster" "main" {
  name = "main"
  setting {
    name  = "containerInsights"
    value = "enabled"
  }
}
resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}
resource "aws_subnet" "main" {
  vpc_id     = aws_vpc.main.id
  cidr_block = "10.0.0.0/24"
}
resource "aws_ecs_task_definition" "web" {
  family                   = "web"
  network_mode             = "awsvpc"
  requires_compatibilities = ["FARGATE"]
  cpu                      = 256
  memory                   = 512
  container_definitions = jsonencode([{
    name         = "web"
    image        = "${image}"
    portMappings = [{ containerPort = 80 }]
    environment  = [{ name = "B", value = "2" }, { name = "A", value = "1" }]
  }])
  runtime_platform {
    cpu_architecture = "X86_64"
  }
}
resource "aws_ecs_service" "web" {
  name            = "web"
  cluster         = aws_ecs_cluster.main.arn
  task_definition = aws_ecs_task_definition.web.arn
  desired_count   = ${count}
  launch_type     = "FARGATE"
  network_configuration {
    subnets = [aws_subnet.main.id]
  }
  lifecycle {
    ignore_changes = [desired_count]
  }
}
resource "aws_appautoscaling_target" "web" {
  max_capacity       = ${most}
  min_capacity       = 1
  resource_id        = "service/\${aws_ecs_cluster.main.name}/\${aws_ecs_service.web.name}"
  scalable_dimension = "ecs:service:DesiredCount"
  service_namespace  = "ecs"
}
`;
    await run(
      step(stack(1, 4)),
      step(stack(2, 8), { plan: { 'aws_appautoscaling_target.web': 'update' } }),
      step(stack(2, 8, 'nginx:2'), {
        plan: { 'aws_ecs_task_definition.web': 'replace', 'aws_ecs_service.web': 'update' },
      }),
    );
  });

  it('of topics that feed queues', { timeout: 600_000 }, async () => {
    const stack = (kinds: string, more = ''): string => `
resource "aws_sns_topic" "events" {
  name = "events"
}
locals {
  kinds = ${kinds}
}
resource "aws_sqs_queue" "kind" {
  for_each = local.kinds
  name     = each.key
}
resource "aws_sqs_queue_policy" "kind" {
  for_each  = aws_sqs_queue.kind
  queue_url = each.value.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "sns.amazonaws.com" }
      Action    = "sqs:SendMessage"
      Resource  = each.value.arn
      Condition = { ArnEquals = { "aws:SourceArn" = aws_sns_topic.events.arn } }
    }]
  })
}
resource "aws_sns_topic_subscription" "kind" {
  for_each             = local.kinds
  topic_arn            = aws_sns_topic.events.arn
  protocol             = "sqs"
  endpoint             = aws_sqs_queue.kind[each.key].arn
  raw_message_delivery = each.value
  filter_policy        = jsonencode({ kind = [each.key], size = [{ numeric = [">", 1] }] })
  ${more}
}
`;
    await run(
      step(stack('{ a = true, b = false }')),
      step(stack('{ a = false, b = true, c = true }', 'filter_policy_scope = "MessageBody"')),
    );
  });

  it('of tables', { timeout: 600_000 }, async () => {
    const stack = (more: string, index = ''): string => `
resource "aws_dynamodb_table" "it" {
  name      = "stack"
  hash_key  = "id"
  range_key = "at"
  ${more}
  attribute {
    name = "id"
    type = "S"
  }
  attribute {
    name = "at"
    type = "N"
  }
  ${index}
}
`;
    const index = (name: string, capacity = ''): string =>
      `attribute {\n name = "${name}"\n type = "S"\n }\n global_secondary_index {\n name = "by-${name}"\n hash_key = "${name}"\n projection_type = "ALL"\n ${capacity}\n }`;
    await run(
      step(stack('billing_mode = "PAY_PER_REQUEST"', index('kind'))),
      step(
        stack(
          'billing_mode = "PAY_PER_REQUEST"\n  stream_enabled = true\n  stream_view_type = "KEYS_ONLY"\n  ttl {\n    attribute_name = "ends"\n    enabled = true\n  }',
          index('kind'),
        ),
      ),
      step(
        stack(
          'billing_mode = "PAY_PER_REQUEST"\n  point_in_time_recovery {\n    enabled = true\n  }',
          index('other'),
        ),
      ),
      // The server keeps attributes that no index has.
      step(
        stack(
          'read_capacity = 2\n  write_capacity = 3\n  tags = { a = "b" }',
          'attribute {\n    name = "other"\n    type = "S"\n  }\n  lifecycle {\n    ignore_changes = [attribute]\n  }',
        ),
      ),
    );
  });

  it('of groups of logs', { timeout: 600_000 }, async () => {
    const stack = (days: string, more = ''): string => `
resource "aws_cloudwatch_log_group" "it" {
  count             = 2
  name              = "/stack/\${count.index}"
  retention_in_days = ${days}
  ${more}
}
`;
    await run(
      step(stack('7')),
      step(stack('0', 'skip_destroy = false')),
      step(stack('null', 'tags = { a = "b" }')),
    );
  });
});
