variable "v" {
  default = 0
}
resource "terraform_data" "fine" {
  input = 1
}
resource "terraform_data" "fails" {
  input = [1][var.v]
}
