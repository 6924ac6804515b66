variable "name" {}
variable "regions" { type = set(string) }
module "region" {
  source   = "../region"
  for_each = var.regions
  prefix   = "${var.name}/${each.value}"
}
output "all" { value = { for k, m in module.region : k => m.ids } }
