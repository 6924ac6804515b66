terraform {
  required_providers {
    null = { source = "hashicorp/null", configuration_aliases = [null.q], version = "~> 3.0" }
    random = { source = "hashicorp/random" }
  }
}
variable "v" {
  type = string
  description = "vv"
}
variable "w" {
  type = set(string)
  default = []
  deprecated = "old w"
}
variable "eph" {
  type = string
  ephemeral = true
  default = null
}
resource "null_resource" "in" {
  provider = null.q
  triggers = { x = var.v }
}
resource "random_pet" "rp" {}
module "n" {
  source = "./n"
}
output "out" {
  value = null_resource.in.id
  deprecated = "gone"
}
output "ephout" {
  value = var.eph
  ephemeral = true
}
