terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
resource "terraform_data" "kept" {}
resource "random_pet" "p" {}
