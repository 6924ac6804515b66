variable "v" {
  type    = number
  default = 1
}
resource "terraform_data" "seed" {
  triggers_replace = var.v
}
resource "terraform_data" "update" {
  input = { v = var.v, x = var.v == 2 ? file("${terraform_data.seed.id}") : "fine" }
}
resource "terraform_data" "replace" {
  triggers_replace = var.v == 2 ? tonumber(terraform_data.seed.id) : var.v
}
resource "terraform_data" "reader" {
  input = [terraform_data.update.output.v, terraform_data.replace.id]
}
