terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}
resource "local_file" "tainted" {
  filename = "tainted.txt"
  content  = ""
}
resource "local_file" "after" {
  filename = "moved.txt"
  content  = ""
}
moved {
  from = local_file.moved
  to   = local_file.after
}
resource "local_file" "protected" {
  filename = "protected.txt"
  content  = ""
  lifecycle {
    prevent_destroy = true
    ignore_changes  = all
  }
}
resource "terraform_data" "reader" {
  input = local_file.protected.id
}
