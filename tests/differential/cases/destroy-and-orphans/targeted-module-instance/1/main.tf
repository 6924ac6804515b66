variable "v" {
  default = "a"
}
module "m" {
  source = "./m"
  count  = 3
  v      = var.v
}
output "all" {
  value = module.m[*].o
}
resource "terraform_data" "each" {
  for_each = toset(["x", "y"])
  input    = var.v
}
output "each" {
  value = { for k, r in terraform_data.each : k => r.output }
}
