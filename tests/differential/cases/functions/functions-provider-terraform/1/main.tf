terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
resource "terraform_data" "u" {
  input = "later"
}
locals {
  u = terraform_data.u.output
}
output "o01" {
  value = provider::terraform::encode_tfvars({b = 2, a = "x", l = [1, null], o = {k = "v w"}})
}
output "o02" {
  value = provider::terraform::decode_tfvars("a = 1\nb = [true, null]\n")
}
output "o03" {
  value = provider::terraform::encode_expr({a = [1, "b$${c}"], n = null})
}
output "o04" {
  value = provider::terraform::encode_expr("multi\nline")
}
output "o05" {
  value = provider::terraform::decode_tfvars(provider::terraform::encode_tfvars({x = {y = [1]}})).x.y[0]
}
output "o06" {
  value = provider::terraform::encode_expr(local.u)
}
