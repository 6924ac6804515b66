variable "v" {
  default = "1"
}
resource "terraform_data" "replaced" {
  triggers_replace = var.v
}
resource "terraform_data" "updated" {
  input = var.v
}
resource "terraform_data" "same" {}
resource "terraform_data" "top" {
  input = [terraform_data.replaced.id, terraform_data.updated.id, terraform_data.same.id]
  lifecycle {
    create_before_destroy = true
  }
}
