variable "v" {}
resource "terraform_data" "r" {
  input            = "out.tfstate"
  triggers_replace = null
}
resource "terraform_data" "changes" {
  input = var.v
}
output "path" {
  value = terraform_data.r.input
}
output "depends" {
  value      = "out.tfstate"
  depends_on = [terraform_data.changes]
}
