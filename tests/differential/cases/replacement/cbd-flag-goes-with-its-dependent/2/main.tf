variable "v" {
  default = 1
}
resource "terraform_data" "kept" {}
resource "terraform_data" "updated" {
  input = var.v
}
resource "terraform_data" "replaced" {
  triggers_replace = var.v
}
