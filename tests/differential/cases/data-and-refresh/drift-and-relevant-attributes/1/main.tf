terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}
resource "local_file" "relevant" {
  filename        = "relevant.txt"
  content         = "relevant"
  file_permission = "0644"
}
resource "local_file" "irrelevant" {
  filename        = "irrelevant.txt"
  content         = "irrelevant"
  file_permission = "0644"
}
resource "local_file" "output" {
  filename        = "output.txt"
  content         = "output"
  file_permission = "0644"
}
locals {
  through = { md5 = local_file.relevant.content_md5, path = local_file.irrelevant.filename }
}
resource "terraform_data" "by_local" {
  input = local.through.md5
}
resource "terraform_data" "by_id" {
  triggers_replace = local_file.relevant.id
}
output "content" {
  value = local_file.output.content_sha1
}
