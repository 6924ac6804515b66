variable "off" {
  default = false
}
resource "terraform_data" "off" {
  lifecycle {
    enabled = var.off
  }
}
module "off" {
  source = "./m"
  lifecycle {
    enabled = var.off
  }
}
output "r" {
  value = terraform_data.off.id
}
output "m" {
  value = module.off.x
}
