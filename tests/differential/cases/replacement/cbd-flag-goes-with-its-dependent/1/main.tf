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
resource "terraform_data" "top" {
  input = [terraform_data.kept.id, terraform_data.updated.id, terraform_data.replaced.id]
  lifecycle {
    create_before_destroy = true
  }
}
