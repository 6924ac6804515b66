terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

variable "image" {
  default = "v1"
}

resource "random_pet" "server" {
  keepers = { image = var.image, same = "s" }
}

resource "random_string" "suffix" {
  length  = var.image == "v1" ? 10 : 11
  keepers = { pet = random_pet.server.id }
}

resource "random_shuffle" "zones" {
  input   = var.image == "v1" ? ["a"] : ["b"]
  keepers = null
}

resource "terraform_data" "server" {
  input = "${random_pet.server.id}-${random_string.suffix.result}-${random_pet.server.keepers.image}"
}

output "zones" {
  value = random_shuffle.zones.result
}
