resource "terraform_data" "a" {
  count = 1
  for_each = {}
}
variable "w" {}
output "p" { value = 1 }
check "c" {
  assert {
    condition = true
    error_message = "x"
  }
}
terraform {
  required_version = ">= 99"
}
