data "aws_iam_policy_document" "empty" {}

data "aws_iam_policy_document" "one" {
  version = "2008-10-17"
  statement {
    sid           = "A"
    actions       = ["s3:GetObject"]
    not_resources = ["arn:aws:s3:::b", "arn:aws:s3:::a"]
    principals {
      type        = "AWS"
      identifiers = ["*"]
    }
    principals {
      type        = "Service"
      identifiers = ["b.amazonaws.com", "a.amazonaws.com"]
    }
    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::1:root", "arn:aws:iam::2:root"]
    }
  }
}

data "aws_iam_policy_document" "star" {
  statement {
    sid         = "AnyStar"
    not_actions = ["s3:*", "iam:*"]
    resources   = ["*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    principals {
      type        = "AWS"
      identifiers = ["1"]
    }
  }
  statement {
    principals {
      type        = "*"
      identifiers = ["*", "x"]
    }
    condition {
      test     = "StringEquals"
      variable = "b"
      values   = ["2", "1"]
    }
    condition {
      test     = "StringEquals"
      variable = "a"
      values   = ["1"]
    }
    condition {
      test     = "StringEquals"
      variable = "b"
      values   = ["3"]
    }
    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
    condition {
      test     = "ForAnyValue:StringLike"
      variable = "x"
      values   = []
    }
  }
}

data "aws_iam_policy_document" "merge" {
  source_policy_documents = [
    data.aws_iam_policy_document.one.json,
    jsonencode({ Version = "2012-10-17", Id = "src", Statement = [{ Sid = "single", Effect = "Allow", Action = "a", Resource = ["z", "y"], Condition = { Bool = { "aws:x" = true }, NumericEquals = { n = 5, m = ["1", "2"] } } }] }),
    "",
  ]
  override_policy_documents = [
    jsonencode({ Statement = [{ Sid = "A", Effect = "Deny", Principal = { AWS = "*" }, Action = ["z", "a"], Resource = "r" }, { Effect = "Deny", NotPrincipal = { AWS = ["2", "1"], Federated = "f" }, Action = "x" }] }),
    jsonencode({ Id = "over", Version = "2008-10-17", Statement = [{ Sid = "A", Effect = "Allow", Principal = "*", Action = [] }] }),
  ]
  statement {
    sid       = "single"
    effect    = "Deny"
    actions   = []
    resources = ["&{aws:username}", "a<b>&c", "ü", "\u2028"]
  }
}

data "aws_iam_policy_document" "d0" {
  statement {
    effect  = "Allow"
    actions = ["sqs:SendMessage", "s3:Get*"]
    principals {
      type        = "AWS"
      identifiers = ["a.amazonaws.com", "*", "1"]
    }
  }
  statement {
    effect    = "Allow"
    resources = ["é", "arn:aws:s3:::&{aws:username}", "*", "arn:aws:s3:::a/*"]
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["", "c", "a"]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["a"]
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = ["a", "c"]
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = []
    }
  }
}

data "aws_iam_policy_document" "d1" {
  statement {
    sid         = "S0"
    not_actions = ["sqs:SendMessage", "*", "iam:PassRole"]
    resources   = ["*"]
    principals {
      type        = "Federated"
      identifiers = ["2", "a.amazonaws.com", "arn:aws:iam::1:root"]
    }
    not_principals {
      type        = "AWS"
      identifiers = []
    }
    not_principals {
      type        = "*"
      identifiers = ["2"]
    }
    principals {
      type        = "*"
      identifiers = ["*", "arn:aws:iam::1:root", "2"]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["c", "&{aws:u}", "a"]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["a", "a", "b"]
    }
  }
  statement {
    not_resources = ["*", "arn:aws:s3:::&{aws:username}"]
    principals {
      type        = "Federated"
      identifiers = []
    }
    principals {
      type        = "AWS"
      identifiers = ["2"]
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = ["&{aws:u}", "&{aws:u}", "a"]
    }
  }
  statement {
    sid     = "S2"
    actions = ["sqs:SendMessage", "iam:PassRole", "*"]
    principals {
      type        = "AWS"
      identifiers = []
    }
    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::1:root"]
    }
    principals {
      type        = "AWS"
      identifiers = ["b.amazonaws.com", "1", "2"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["c", "b", "c"]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["c"]
    }
  }
}

data "aws_iam_policy_document" "d2" {
  statement {
    not_actions   = ["*", "ec2:Describe*", "s3:Get*"]
    not_resources = []
    principals {
      type        = "AWS"
      identifiers = ["1", "*", "2"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["b"]
    }
  }
  statement {
    actions   = ["*", "ec2:Describe*", "sqs:SendMessage"]
    resources = []
    not_principals {
      type        = "Service"
      identifiers = ["arn:aws:iam::1:root", "1", "*"]
    }
    principals {
      type        = "Federated"
      identifiers = ["1", "b.amazonaws.com"]
    }
  }
  statement {
    effect        = "Allow"
    not_actions   = ["iam:PassRole", "s3:Put*", "ec2:Describe*", "s3:Get*"]
    not_resources = ["é"]
    principals {
      type        = "*"
      identifiers = ["1"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = []
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["b", "", "c"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["b", "a"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["&{aws:u}"]
    }
  }
}

data "aws_iam_policy_document" "d3" {
  statement {
    sid       = "S0"
    resources = ["arn:aws:s3:::a/*", "*", "é"]
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = ["", "&{aws:u}", "b"]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["&{aws:u}", "a", ""]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = []
    }
  }
}

data "aws_iam_policy_document" "d4" {
  override_policy_documents = [data.aws_iam_policy_document.d1.minified_json]
  statement {
    not_actions = ["s3:Put*", "sqs:SendMessage"]
    resources   = []
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = ["", "", "a"]
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = ["c", ""]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["c", "&{aws:u}"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["&{aws:u}", "c"]
    }
  }
}

data "aws_iam_policy_document" "d5" {
  source_policy_documents   = [data.aws_iam_policy_document.d2.json]
  override_policy_documents = [data.aws_iam_policy_document.d1.minified_json]
  statement {
    sid       = "S0"
    resources = ["arn:aws:s3:::a"]
    principals {
      type        = "Federated"
      identifiers = []
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["a", "c", "a"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["a", "a"]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = []
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["c", "c"]
    }
  }
  statement {
    effect      = "Deny"
    not_actions = ["s3:Put*", "sqs:SendMessage", "iam:PassRole", "*"]
    principals {
      type        = "AWS"
      identifiers = ["*", "a.amazonaws.com", "b.amazonaws.com"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["a", "", "b"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["", "b"]
    }
  }
  statement {
    actions       = ["*", "s3:Put*", "sqs:SendMessage"]
    not_resources = ["arn:aws:s3:::&{aws:username}", "arn:aws:s3:::a/*", "arn:aws:s3:::a", "*"]
    principals {
      type        = "AWS"
      identifiers = ["*", "2"]
    }
    not_principals {
      type        = "*"
      identifiers = ["arn:aws:iam::1:root", "*", "a.amazonaws.com"]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = []
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = []
    }
  }
}

data "aws_iam_policy_document" "d6" {
  source_policy_documents = [data.aws_iam_policy_document.d5.json]
  statement {
    not_resources = ["arn:aws:s3:::a", "arn:aws:s3:::&{aws:username}", "arn:aws:s3:::a/*"]
    principals {
      type        = "Service"
      identifiers = []
    }
    not_principals {
      type        = "AWS"
      identifiers = ["*", "2", "arn:aws:iam::1:root"]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = []
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = ["a", "b", "c"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["a"]
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = []
    }
  }
  statement {
    effect      = "Allow"
    not_actions = ["sqs:SendMessage", "s3:Put*"]
    resources   = ["arn:aws:s3:::a/*", "*"]
    principals {
      type        = "AWS"
      identifiers = []
    }
    not_principals {
      type        = "Federated"
      identifiers = ["b.amazonaws.com"]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = []
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["c", "&{aws:u}", "c"]
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = ["b"]
    }
  }
}

data "aws_iam_policy_document" "d7" {
  source_policy_documents   = [data.aws_iam_policy_document.d0.json]
  override_policy_documents = [data.aws_iam_policy_document.d4.minified_json]
  statement {
    effect        = "Allow"
    not_resources = ["arn:aws:s3:::a", "*", "arn:aws:s3:::&{aws:username}"]
    not_principals {
      type        = "CanonicalUser"
      identifiers = ["b.amazonaws.com", "1"]
    }
    not_principals {
      type        = "Service"
      identifiers = []
    }
    principals {
      type        = "AWS"
      identifiers = ["2"]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["b", "c"]
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = ["", "a"]
    }
  }
}

data "aws_iam_policy_document" "d8" {
  statement {
    sid         = "S0"
    not_actions = []
    resources   = ["*", "arn:aws:s3:::a/*", "arn:aws:s3:::a"]
    principals {
      type        = "Federated"
      identifiers = ["arn:aws:iam::1:root"]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["&{aws:u}", ""]
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["c"]
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = ["a"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["b"]
    }
  }
  statement {
    effect    = "Deny"
    actions   = ["ec2:Describe*", "s3:Put*", "*", "sqs:SendMessage"]
    resources = ["é", "*", "arn:aws:s3:::a/*", "arn:aws:s3:::&{aws:username}"]
    principals {
      type        = "AWS"
      identifiers = ["1", "arn:aws:iam::1:root"]
    }
    principals {
      type        = "CanonicalUser"
      identifiers = ["a.amazonaws.com", "arn:aws:iam::1:root", "*"]
    }
    principals {
      type        = "CanonicalUser"
      identifiers = ["*", "b.amazonaws.com"]
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = ["b", "b"]
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = ["b", "a", ""]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["c", "b"]
    }
  }
  statement {
    actions       = ["s3:Get*", "*"]
    not_resources = []
    principals {
      type        = "Service"
      identifiers = ["1", "arn:aws:iam::1:root", "*"]
    }
    not_principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::1:root"]
    }
    not_principals {
      type        = "Service"
      identifiers = ["1", "b.amazonaws.com"]
    }
    not_principals {
      type        = "Federated"
      identifiers = ["*", "2"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["a", "", "a"]
    }
  }
}

data "aws_iam_policy_document" "d9" {
  source_policy_documents   = [data.aws_iam_policy_document.d2.json]
  override_policy_documents = [data.aws_iam_policy_document.d8.minified_json]
  statement {
    sid           = "S0"
    effect        = "Deny"
    actions       = ["s3:Get*", "iam:PassRole"]
    not_resources = []
    not_principals {
      type        = "AWS"
      identifiers = ["2", "arn:aws:iam::1:root"]
    }
  }
  statement {
    sid           = "S1"
    not_actions   = ["iam:PassRole", "s3:Get*", "ec2:Describe*"]
    not_resources = ["arn:aws:s3:::a"]
    principals {
      type        = "Federated"
      identifiers = ["1", "2"]
    }
    principals {
      type        = "AWS"
      identifiers = ["b.amazonaws.com", "arn:aws:iam::1:root", "1"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["&{aws:u}", "c", ""]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = ["a", "c", ""]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["b", "b", "b"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["", "b", "&{aws:u}"]
    }
    condition {
      test     = "Bool"
      variable = "s3:prefix"
      values   = []
    }
  }
}

data "aws_iam_policy_document" "d10" {
  override_policy_documents = [data.aws_iam_policy_document.d2.minified_json]
  statement {
    not_actions = ["s3:Put*", "sqs:SendMessage", "ec2:Describe*"]
    resources   = ["é", "*"]
    principals {
      type        = "Service"
      identifiers = ["b.amazonaws.com", "1"]
    }
    principals {
      type        = "CanonicalUser"
      identifiers = ["a.amazonaws.com", "arn:aws:iam::1:root", "1"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = []
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["", "c"]
    }
    condition {
      test     = "Bool"
      variable = "aws:x"
      values   = []
    }
  }
  statement {
    sid           = "S1"
    effect        = "Deny"
    not_actions   = ["s3:Get*", "s3:Put*"]
    not_resources = ["arn:aws:s3:::&{aws:username}", "*", "é", "arn:aws:s3:::a"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    principals {
      type        = "AWS"
      identifiers = ["b.amazonaws.com"]
    }
    not_principals {
      type        = "AWS"
      identifiers = ["*", "b.amazonaws.com", "arn:aws:iam::1:root"]
    }
    principals {
      type        = "AWS"
      identifiers = ["b.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "d11" {
  override_policy_documents = [data.aws_iam_policy_document.d2.minified_json]
  statement {
    sid       = "S0"
    actions   = []
    resources = ["arn:aws:s3:::a/*", "arn:aws:s3:::a", "é"]
  }
  statement {
    not_actions = ["*"]
    resources   = []
    not_principals {
      type        = "CanonicalUser"
      identifiers = ["*", "arn:aws:iam::1:root"]
    }
    principals {
      type        = "*"
      identifiers = ["*", "2", "1"]
    }
    not_principals {
      type        = "*"
      identifiers = ["1", "a.amazonaws.com"]
    }
  }
  statement {
    not_actions = ["s3:Get*"]
    resources   = ["arn:aws:s3:::&{aws:username}"]
    principals {
      type        = "AWS"
      identifiers = ["a.amazonaws.com"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = []
    }
  }
}

data "aws_iam_policy_document" "d12" {
  override_policy_documents = [data.aws_iam_policy_document.d2.minified_json]
  statement {
    actions = ["s3:Get*", "s3:Put*", "ec2:Describe*"]
    principals {
      type        = "AWS"
      identifiers = []
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["a", "a"]
    }
  }
}

data "aws_iam_policy_document" "d13" {
  source_policy_documents   = [data.aws_iam_policy_document.d6.json]
  override_policy_documents = [data.aws_iam_policy_document.d11.minified_json]
  statement {
    not_actions = ["iam:PassRole", "*"]
    resources   = []
    principals {
      type        = "Service"
      identifiers = ["*", "b.amazonaws.com", "1"]
    }
    principals {
      type        = "Service"
      identifiers = ["a.amazonaws.com", "*"]
    }
  }
  statement {
    effect      = "Deny"
    not_actions = ["s3:Get*", "*", "s3:Put*"]
    principals {
      type        = "*"
      identifiers = []
    }
    principals {
      type        = "AWS"
      identifiers = []
    }
    principals {
      type        = "AWS"
      identifiers = []
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["b", "c"]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["b", "b"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["&{aws:u}", "&{aws:u}", "b"]
    }
  }
  statement {
    not_actions = ["s3:Get*"]
    not_principals {
      type        = "AWS"
      identifiers = ["2"]
    }
    principals {
      type        = "*"
      identifiers = ["b.amazonaws.com", "*"]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = [""]
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["&{aws:u}"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["c", "a"]
    }
  }
}

data "aws_iam_policy_document" "d14" {
  source_policy_documents   = [data.aws_iam_policy_document.d13.json]
  override_policy_documents = [data.aws_iam_policy_document.d9.minified_json]
  statement {
    sid           = "S0"
    effect        = "Deny"
    actions       = ["ec2:Describe*", "s3:Get*", "iam:PassRole", "s3:Put*"]
    not_resources = ["arn:aws:s3:::a/*", "é"]
    principals {
      type        = "AWS"
      identifiers = ["1"]
    }
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["b"]
    }
  }
  statement {
    sid       = "S1"
    effect    = "Allow"
    actions   = []
    resources = []
    condition {
      test     = "StringEquals"
      variable = "s3:prefix"
      values   = ["a", "b"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = []
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = []
    }
  }
}

data "aws_iam_policy_document" "d15" {
  statement {
    not_actions = ["s3:Get*"]
    resources   = []
    principals {
      type        = "AWS"
      identifiers = ["*"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["c"]
    }
    condition {
      test     = "StringLike"
      variable = "aws:x"
      values   = ["a"]
    }
  }
  statement {
    actions   = ["ec2:Describe*", "sqs:SendMessage", "s3:Put*"]
    resources = ["arn:aws:s3:::&{aws:username}"]
    principals {
      type        = "Service"
      identifiers = ["a.amazonaws.com", "*"]
    }
    principals {
      type        = "CanonicalUser"
      identifiers = ["a.amazonaws.com", "arn:aws:iam::1:root"]
    }
  }
}

output "documents" {
  value = {
    empty = data.aws_iam_policy_document.empty
    merge = data.aws_iam_policy_document.merge
    one   = data.aws_iam_policy_document.one
    star  = data.aws_iam_policy_document.star
    d0    = data.aws_iam_policy_document.d0
    d1    = data.aws_iam_policy_document.d1
    d2    = data.aws_iam_policy_document.d2
    d3    = data.aws_iam_policy_document.d3
    d4    = data.aws_iam_policy_document.d4
    d5    = data.aws_iam_policy_document.d5
    d6    = data.aws_iam_policy_document.d6
    d7    = data.aws_iam_policy_document.d7
    d8    = data.aws_iam_policy_document.d8
    d9    = data.aws_iam_policy_document.d9
    d10   = data.aws_iam_policy_document.d10
    d11   = data.aws_iam_policy_document.d11
    d12   = data.aws_iam_policy_document.d12
    d13   = data.aws_iam_policy_document.d13
    d14   = data.aws_iam_policy_document.d14
    d15   = data.aws_iam_policy_document.d15
  }
}
