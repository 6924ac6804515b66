resource "terraform_data" "a" {
  count = 2
  input = { n = count.index, l = ["k"] }
}
resource "terraform_data" "each" {
  for_each = { for i, r in terraform_data.a : "k${i}" => r.id }
  input    = each.value
}
module "m" {
  source   = "./m"
  for_each = { for k, v in terraform_data.each : k => v.output }
  in       = each.value
}
output "whole" { value = terraform_data.a }
output "each" { value = terraform_data.each }
output "modules" { value = module.m }
output "mixed" { value = { for k, m in module.m : k => [m.known, m.unknown, m.list[0], length(m.list), m.object.a] } }
output "first" { value = terraform_data.a[0].input.n }
output "partial_output" { value = terraform_data.a[0].output }
output "count" { value = length(terraform_data.a) + length(module.m) }
