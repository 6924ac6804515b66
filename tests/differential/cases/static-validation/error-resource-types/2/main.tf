terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
resource "random_strnig" "misspelt" {}
resource "random_nothing" "absent" {}
data "random_string" "managed" {}
resource "terraform_nothing" "absent" {}
resource "terraform_remote_state" "data" {
}
