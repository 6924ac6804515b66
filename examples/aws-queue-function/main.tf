# A function that puts onto a queue what a topic tells it. What those who read the queue fail at goes to a second one.

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

resource "aws_sns_topic_subscription" "work" {
  topic_arn = aws_sns_topic.jobs.arn
  protocol  = "lambda"
  endpoint  = aws_lambda_function.work.arn

  # What the topic tells arrives from the first message on.
  depends_on = [aws_lambda_permission.topic]
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
    actions   = ["sqs:SendMessage"]
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

  environment {
    variables = { QUEUE_URL = aws_sqs_queue.jobs.url }
  }

  # It may write to its log and to the queue from its first run on.
  depends_on = [aws_iam_role_policy.work]
}

resource "aws_lambda_permission" "topic" {
  statement_id  = "topic"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.work.function_name
  principal     = "sns.amazonaws.com"
  source_arn    = aws_sns_topic.jobs.arn
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
