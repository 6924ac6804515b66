terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}
resource "null_resource" "kept" {
  triggers = { a = 1, b = "x" }
}
resource "null_resource" "changed" {
  triggers = { a = 2 }
}
