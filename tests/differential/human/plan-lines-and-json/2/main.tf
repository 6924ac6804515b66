locals {
  policy = { Version = "2012-10-17", Statement = [
    { Sid = "read", Effect = "Allow", Action = ["s3:GetObject", "s3:GetObjectVersion", "s3:ListBucket"], Resource = "*" },
    { Sid = "write", Effect = "Deny", Action = ["s3:PutObject"], Resource = "arn:aws:s3:::b/*" },
    { Sid = "list", Effect = "Allow", Action = "s3:ListAllMyBuckets", Resource = "*" },
  ] }
}
resource "terraform_data" "script" {
  input = <<-EOT
    #!/bin/sh
    set -eu
    echo one

    echo two
    echo three
  EOT
}
resource "terraform_data" "policy" {
  input = jsonencode(local.policy)
}
resource "terraform_data" "space" {
  input = "{ \"a\":  1 }"
}
resource "terraform_data" "to_lines" {
  input = "a\nb\n"
}
resource "terraform_data" "inside" {
  input = { document = jsonencode({ keys = ["a", "c"], more = true }), note = "x\nz\n" }
}
