variable "n" {
  type    = number
  default = 1
}
resource "terraform_data" "fails" {
  input = [1][var.n]
}
resource "terraform_data" "one_fails" {
  for_each = { good = 0, bad = var.n }
  input    = [1][each.value]
}
locals {
  fails = tonumber("x${var.n}")
}
module "m" {
  source = "./m"
  in     = local.fails
}
resource "terraform_data" "by_output" {
  input = module.m.without
}
resource "terraform_data" "by_failed_output" {
  input = module.m.with
}
resource "terraform_data" "by_good" {
  input = terraform_data.one_fails["good"].id
}
resource "terraform_data" "by_depends" {
  depends_on = [terraform_data.fails]
}
resource "terraform_data" "fine" {
  input = 1
}
output "fine" {
  value = terraform_data.fine.input
}
output "fails" {
  value = local.fails
}
