variable "needed" {}

resource "terraform_data" "x" {
  input = var.needed
}
