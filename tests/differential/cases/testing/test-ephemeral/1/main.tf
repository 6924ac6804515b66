variable "e" {
  type      = string
  ephemeral = true
  default   = null
}
resource "terraform_data" "a" {
  input = "a"
}
locals {
  l = var.e
}
