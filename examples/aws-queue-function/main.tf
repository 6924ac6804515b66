# A function that does the jobs of a queue, which a topic fills. What it fails at three times goes to a second queue.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = { Project = var.name }
  }
}

data "aws_region" "here" {}

resource "aws_sqs_queue" "failed" {
  name                      = "${var.name}-failed"
  message_retention_seconds = 1209600
}

resource "aws_sqs_queue" "jobs" {
  name                       = var.name
  visibility_timeout_seconds = 60

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.failed.arn
    maxReceiveCount     = 3
  })
}

resource "aws_sns_topic" "jobs" {
  name = var.name
}

resource "aws_sns_topic_subscription" "jobs" {
  topic_arn            = aws_sns_topic.jobs.arn
  protocol             = "sqs"
  endpoint             = aws_sqs_queue.jobs.arn
  raw_message_delivery = true

  # What the topic tells arrives from the first message on.
  depends_on = [aws_sqs_queue_policy.jobs]
}

data "aws_iam_policy_document" "jobs" {
  statement {
    sid       = "FromTopic"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.jobs.arn]

    principals {
      type        = "Service"
      identifiers = ["sns.amazonaws.com"]
    }

    condition {
      test     = "ArnEquals"
      variable = "aws:SourceArn"
      values   = [aws_sns_topic.jobs.arn]
    }
  }
}

resource "aws_sqs_queue_policy" "jobs" {
  queue_url = aws_sqs_queue.jobs.url
  policy    = data.aws_iam_policy_document.jobs.json
}

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
    sid       = "Queue"
    actions   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"]
    resources = [aws_sqs_queue.jobs.arn]
  }

  statement {
    sid       = "Log"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.work.arn}:*"]
  }
}

resource "aws_iam_role" "work" {
  name               = var.name
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

resource "aws_iam_role_policy" "work" {
  name   = "work"
  role   = aws_iam_role.work.id
  policy = data.aws_iam_policy_document.work.json
}

resource "aws_cloudwatch_log_group" "work" {
  name              = "/aws/lambda/${var.name}"
  retention_in_days = 14
}

resource "aws_lambda_function" "work" {
  function_name    = var.name
  role             = aws_iam_role.work.arn
  runtime          = "nodejs22.x"
  handler          = "index.handler"
  filename         = "${path.module}/function.zip"
  source_code_hash = filebase64sha256("${path.module}/function.zip")
  timeout          = 30

  # It may write to its log and read the queue from its first run on.
  depends_on = [aws_iam_role_policy.work]
}

resource "aws_lambda_event_source_mapping" "work" {
  event_source_arn        = aws_sqs_queue.jobs.arn
  function_name           = aws_lambda_function.work.arn
  batch_size              = 5
  function_response_types = ["ReportBatchItemFailures"]
}

variable "name" {
  type    = string
  default = "terrane-jobs"
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

output "queue" {
  value = aws_sqs_queue.jobs.url
}

output "function" {
  value = aws_lambda_function.work.arn
}

output "region" {
  value = data.aws_region.here.region
}
