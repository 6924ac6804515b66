terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}
resource "terraform_data" "r" {
  input = "x"
  lifecycle {
    ignore_changes = ["input"]
  }
}
data "null_data_source" "a" {
  inputs = { a = "1" }
}
data "null_data_source" "b" {
  inputs = { a = "2" }
}
data "null_data_source" "c" {
  inputs = { a = "3" }
}
check "c" {
  assert {
    condition     = terraform_data.r.input == "y"
    error_message = "The check failed."
  }
}
