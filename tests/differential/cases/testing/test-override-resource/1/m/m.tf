terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}
resource "random_pet" "in" {
}
output "o" {
  value = random_pet.in.id
}
