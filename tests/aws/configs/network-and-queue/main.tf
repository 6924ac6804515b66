terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = { Project = "interchange" }
  }
}

variable "region" {
  type = string
}

data "aws_caller_identity" "me" {}

resource "aws_vpc" "it" {
  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true
  tags                 = { Name = "it" }
}

resource "aws_sqs_queue" "failed" {
  name = "failed"
}

resource "aws_sqs_queue" "jobs" {
  for_each = toset(["mail", "print"])

  name                       = each.key
  visibility_timeout_seconds = 60

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.failed.arn
    maxReceiveCount     = 3
  })
}

output "network" {
  value = aws_vpc.it.id
}

output "queues" {
  value = { for name, queue in aws_sqs_queue.jobs : name => queue.url }
}

output "account" {
  value = data.aws_caller_identity.me.account_id
}
