variable "v" {}
resource "terraform_data" "same" {}
resource "terraform_data" "changes" {
  input = var.v
}
