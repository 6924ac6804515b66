variable "x" {
  type = string
}
resource "terraform_data" "inner" {
  input = var.x
}
module "n" {
  source = "./n"
  lifecycle {
    enabled = var.x == "here"
  }
}
output "x" {
  value = terraform_data.inner.input
}
