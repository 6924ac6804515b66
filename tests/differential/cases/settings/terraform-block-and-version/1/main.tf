terraform {
  required_version = ">= 1.0, < 2.0.0, != 1.3.0"
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}

resource "terraform_data" "r" {
  provider = terraform
  input    = "x"
}
