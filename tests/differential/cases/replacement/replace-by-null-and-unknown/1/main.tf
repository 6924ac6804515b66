variable "step" {
  default = 1
}
variable "secret" {
  default   = "s"
  sensitive = true
}
resource "terraform_data" "source" {
  triggers_replace = var.step
}
locals {
  values = {
    comes   = var.step == 1 ? null : "x"
    goes    = var.step == 1 ? "x" : null
    same    = "x"
    type    = var.step == 1 ? "1" : jsondecode("1")
    empty   = var.step == 1 ? [] : {}
    objects = var.step == 1 ? { a = 1 } : { a = 1, b = null }
  }
}
resource "terraform_data" "r" {
  for_each         = local.values
  triggers_replace = each.value
}
resource "terraform_data" "marked" {
  triggers_replace = var.step == 1 ? "s" : var.secret
}
resource "terraform_data" "unknown" {
  triggers_replace = terraform_data.source.id
}
resource "terraform_data" "part" {
  triggers_replace = [terraform_data.source.id, "known"]
}
