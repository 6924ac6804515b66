resource "terraform_data" "r" {
  input = [1, 2
}

variable "x" {
  default =
}
