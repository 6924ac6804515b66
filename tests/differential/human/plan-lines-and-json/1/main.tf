locals {
  policy = { Version = "2012-10-17", Statement = [
    { Sid = "read", Effect = "Allow", Action = ["s3:GetObject", "s3:ListBucket"], Resource = "*" },
    { Sid = "write", Effect = "Allow", Action = ["s3:PutObject"], Resource = "arn:aws:s3:::b/*" },
  ] }
}
resource "terraform_data" "script" {
  input = <<-EOT
    #!/bin/sh
    set -e
    echo one
    echo two
  EOT
}
resource "terraform_data" "policy" {
  input = jsonencode(local.policy)
}
resource "terraform_data" "space" {
  input = "{\"a\": 1}"
}
resource "terraform_data" "to_lines" {
  input = jsonencode({ a = 1 })
}
resource "terraform_data" "inside" {
  input = { document = jsonencode({ keys = ["a", "b", "c"] }), note = "x\ny\n" }
}
resource "terraform_data" "gone" {
  input = "several\nlines\n"
}
resource "terraform_data" "gone_json" {
  input = jsonencode([1, { a = null }])
}
