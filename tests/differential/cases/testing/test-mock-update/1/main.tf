terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}
variable "l" {
  default = 2
}
resource "random_pet" "p" {
  length = var.l
}
resource "random_password" "w" {
  length = 8 + var.l
}
output "pet" {
  value = random_pet.p.id
}
output "w" {
  value     = random_password.w.result
  sensitive = true
}
