terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_shuffle" "seeded" {
  input        = ["a", "b", "c", "d", "e"]
  result_count = 8
  seed         = "a seed"
}

resource "random_integer" "seeded" {
  min  = 1
  max  = 1000000
  seed = "12345"
}

output "shuffled" {
  value = random_shuffle.seeded.result
}

output "integer" {
  value = random_integer.seeded.result + 0
}
