variable "v" {
  default = 1
}
resource "terraform_data" "b" {
  input = var.v
}
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
