variable "v" {}

resource "terraform_data" "x" {
  input = var.v
}
