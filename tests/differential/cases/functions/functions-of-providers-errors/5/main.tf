terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_pet" "p" {
  keepers = {
    a = 1
  }
}

resource "terraform_data" "a" {
  input = provider::time::duration_parse(random_pet.p.id).seconds
}

resource "terraform_data" "b" {
  input = "fine"
}

output "o" {
  value = provider::time::duration_parse(random_pet.p.id).seconds
}
