// Whole configurations of several services: applied, changed and destroyed. After each apply nothing may be left to do.
import { awsProvider } from '@terrane/provider-aws';
import { acceptanceTest, type ConfigStep, type Step } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, startAws } from './moto-life.ts';

const ASSUMED = (service: string): string =>
  `jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "${service}.amazonaws.com" } }] })`;

describe('a stack', () => {
  let server: AwsServer;
  beforeAll(async () => {
    server = await startAws();
  }, 120_000);
  afterAll(() => server.stop());

  const step = (config: string, more: Omit<ConfigStep, 'config'> = {}): ConfigStep => ({
    config: server.provider() + config,
    ...more,
  });
  const run = (...steps: readonly Step[]): Promise<void> =>
    acceptanceTest({ providers: { 'hashicorp/aws': awsProvider }, steps });

  it('of subnets in zones, with routes and groups', { timeout: 600_000 }, async () => {
    const stack = (zones: string, more = '', rules = ''): string => `
data "aws_availability_zones" "here" {
  state = "available"
}
locals {
  zones = ${zones}
}
resource "aws_vpc" "main" {
  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true
  ${more}
}
resource "aws_internet_gateway" "main" {
  vpc_id = aws_vpc.main.id
}
resource "aws_subnet" "zone" {
  for_each                = local.zones
  vpc_id                  = aws_vpc.main.id
  cidr_block              = cidrsubnet(aws_vpc.main.cidr_block, 8, each.value)
  availability_zone       = data.aws_availability_zones.here.names[each.value]
  map_public_ip_on_launch = true
  tags                    = { Name = each.key }
}
resource "aws_route_table" "out" {
  vpc_id = aws_vpc.main.id
  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.main.id
  }
}
resource "aws_route_table_association" "out" {
  for_each       = aws_subnet.zone
  subnet_id      = each.value.id
  route_table_id = aws_route_table.out.id
}
resource "aws_security_group" "web" {
  name_prefix = "web-"
  vpc_id      = aws_vpc.main.id
  ingress {
    from_port   = 80
    to_port     = 80
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
  ${rules}
  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
  lifecycle {
    create_before_destroy = true
  }
}
data "aws_subnets" "all" {
  filter {
    name   = "vpc-id"
    values = [aws_vpc.main.id]
  }
  depends_on = [aws_subnet.zone]
}
output "subnets" {
  value = length(data.aws_subnets.all.ids)
}
`;
    const ssh =
      'ingress {\n    description = "ssh"\n    from_port = 22\n    to_port = 22\n    protocol = "6"\n    cidr_blocks = ["10.0.0.0/8"]\n    ipv6_cidr_blocks = ["fd00::/8"]\n    self = true\n  }';
    await run(
      step(stack('{ a = 0, b = 1 }'), { outputs: { subnets: 2 } }),
      step(stack('{ a = 0, b = 1, c = 2 }', 'enable_dns_support = true', ssh), {
        plan: {
          'aws_subnet.zone["c"]': 'create',
          'aws_route_table_association.out["c"]': 'create',
          'aws_security_group.web': 'update',
          'data.aws_subnets.all': 'read',
        },
        outputs: { subnets: 3 },
      }),
      step(stack('{ b = 1, c = 2 }', 'tags = { Name = "main" }'), { outputs: { subnets: 2 } }),
    );
  });

  it('of machines that start from each other', { timeout: 600_000 }, async () => {
    const stack = (type: string, more = ''): string => `
resource "aws_key_pair" "me" {
  key_name   = "me"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJmnk3JtnaVKvkYh6iSuIzmoC2sRzY5YGLRM4zJ5jBHV me"
}
resource "aws_iam_role" "machine" {
  name               = "machine"
  assume_role_policy = ${ASSUMED('ec2')}
}
resource "aws_iam_instance_profile" "machine" {
  role = aws_iam_role.machine.name
}
data "aws_ami" "linux" {
  most_recent = true
  owners      = ["amazon"]
  filter {
    name   = "name"
    values = ["amzn2-ami-hvm-*-x86_64-gp2"]
  }
}
resource "aws_instance" "web" {
  count                = 2
  ami                  = data.aws_ami.linux.id
  instance_type        = "${type}"
  key_name             = aws_key_pair.me.key_name
  iam_instance_profile = aws_iam_instance_profile.machine.name
  user_data            = "#!/bin/sh\\necho \${count.index}"
  monitoring           = true
  root_block_device {
    volume_size = 9
    volume_type = "gp3"
  }
  metadata_options {
    http_tokens = "required"
  }
  ${more}
  tags = { Name = "web-\${count.index}" }
}
resource "aws_ebs_volume" "data" {
  count             = 2
  availability_zone = aws_instance.web[count.index].availability_zone
  size              = 2
  type              = "gp3"
}
resource "aws_volume_attachment" "data" {
  count       = 2
  device_name = "/dev/sdh"
  volume_id   = aws_ebs_volume.data[count.index].id
  instance_id = aws_instance.web[count.index].id
}
`;
    await run(
      step(stack('t3.micro')),
      step(stack('t3.small', 'disable_api_stop = false\n  ebs_optimized = false'), {
        plan: { 'aws_instance.web[0]': 'update', 'aws_instance.web[1]': 'update' },
      }),
    );
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
  filename      = "${new URL('../../examples/aws-queue-function/function.zip', import.meta.url).pathname}"
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
          // What it says is known when the queue is changed.
          'aws_iam_role_policy.work': 'update',
        },
      }),
      step(stack(5, 'architectures = ["x86_64"]')),
    );
  });
});
