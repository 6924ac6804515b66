variable "s" {
  sensitive = true
  default   = ["a"]
}
resource "terraform_data" "each" {
  for_each = toset(var.s)
}
resource "terraform_data" "map" {
  for_each = sensitive({ a = 1 })
}
resource "terraform_data" "count" {
  count = sensitive(1)
}
module "m" {
  source = "./m"
  count  = length(var.s)
}
output "plain" { value = var.s }
output "deep" { value = { a = [sensitive(1)] } }
output "template" { value = "x${var.s[0]}" }
output "condition" { value = var.s[0] == "a" ? 1 : 2 }
output "for" { value = [for x in var.s : x] }
output "key" { value = { for x in var.s : x => 1 } }
output "index" { value = ["a", "b"][sensitive(0)] }
output "for_filter" { value = [for x in ["a"] : x if x == var.s[0]] }
output "module" { value = module.m }
