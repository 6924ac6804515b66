variable "network" {}

resource "terraform_data" "route" {
  input = var.network
}
