terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}
resource "random_pet" "p" {
  length = 2
}
resource "random_id" "i" {
  byte_length = 4
}
output "pet" {
  value = random_pet.p.id
}
