variable "on" {
  type = bool
}
module "m" {
  source   = "./m"
  for_each = var.on ? { k = "key" } : {}
  name     = each.value
}
resource "terraform_data" "reader" {
  input = [for m in module.m : m.r]
}
output "o" {
  value = module.m
}
