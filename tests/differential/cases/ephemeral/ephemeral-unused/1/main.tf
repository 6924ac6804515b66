
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

ephemeral "random_password" "p" {
  length = 12
}
resource "terraform_data" "r" {
  input = 1
}
