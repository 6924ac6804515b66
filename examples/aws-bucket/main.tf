# A bucket with versions, a key of its own, a policy for those who read from it, and rules for what is old.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}

provider "aws" {
  region            = var.region
  s3_use_path_style = var.path_style

  default_tags {
    tags = { Project = "terrane-bucket" }
  }
}

data "aws_caller_identity" "me" {}

locals {
  bucket = "${var.prefix}-${data.aws_caller_identity.me.account_id}"
}

resource "aws_kms_key" "bucket" {
  description             = "Encrypts ${local.bucket}"
  deletion_window_in_days = 7
}

resource "aws_kms_alias" "bucket" {
  name          = "alias/${var.prefix}"
  target_key_id = aws_kms_key.bucket.key_id
}

resource "aws_s3_bucket" "it" {
  bucket        = local.bucket
  force_destroy = true
}

resource "aws_s3_bucket_public_access_block" "it" {
  bucket = aws_s3_bucket.it.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_versioning" "it" {
  bucket = aws_s3_bucket.it.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "it" {
  bucket = aws_s3_bucket.it.id

  rule {
    id     = "older-versions"
    status = "Enabled"

    filter {}

    noncurrent_version_expiration {
      noncurrent_days = 90
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 7
    }
  }

  rule {
    id     = "logs"
    status = "Enabled"

    filter {
      prefix = "logs/"
    }

    transition {
      days          = 30
      storage_class = "STANDARD_IA"
    }

    expiration {
      days = 365
    }
  }

  # Rules about versions need versions.
  depends_on = [aws_s3_bucket_versioning.it]
}

resource "aws_s3_bucket_server_side_encryption_configuration" "it" {
  bucket = aws_s3_bucket.it.id

  rule {
    bucket_key_enabled = true

    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = aws_kms_key.bucket.arn
    }
  }
}

data "aws_iam_policy_document" "readers" {
  statement {
    sid       = "ReadByEncryptedConnections"
    actions   = ["s3:GetObject"]
    resources = ["${aws_s3_bucket.it.arn}/*"]

    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::${data.aws_caller_identity.me.account_id}:root"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["true"]
    }
  }
}

resource "aws_s3_bucket_policy" "it" {
  bucket = aws_s3_bucket.it.id
  policy = data.aws_iam_policy_document.readers.json
}

resource "aws_s3_object" "welcome" {
  bucket       = aws_s3_bucket.it.id
  key          = "welcome.txt"
  content      = "Hello from Terrane.\n"
  content_type = "text/plain"

  depends_on = [aws_s3_bucket_server_side_encryption_configuration.it]
}

variable "prefix" {
  description = "What the name of the bucket begins with; the number of the account follows."
  type        = string
  default     = "terrane-bucket"
}

variable "path_style" {
  description = "Buckets are named in paths: for servers whose names have no bucket in front of them."
  type        = bool
  default     = false
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

output "bucket" {
  value = aws_s3_bucket.it.arn
}
