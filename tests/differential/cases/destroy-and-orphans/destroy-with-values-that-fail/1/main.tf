variable "ok" {
  default = true
}
resource "terraform_data" "a" {
  count = 1
}
resource "terraform_data" "b" {
  input = var.ok ? terraform_data.a[0].id : terraform_data.a[5].id
}
locals {
  broken = var.ok ? 1 : tonumber(terraform_data.a[0].id)
}
output "o" {
  value = local.broken
}
check "c" {
  assert {
    condition     = local.broken == 1
    error_message = "Broken."
  }
}
