variable "on" {
  type = bool
}
module "m" {
  source = "./m"
  count  = var.on ? 1 : 0
  name   = "n${count.index}"
}
resource "terraform_data" "reader" {
  input = one(module.m[*].r)
}
output "o" {
  value = module.m
}
