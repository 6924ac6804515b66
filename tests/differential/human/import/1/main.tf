terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_integer" "e" {
  for_each = { x = 1 }
  min      = 1
  max      = 10
}

check "integer" {
  assert {
    condition     = random_integer.e["x"].result > 100
    error_message = "The number is ${random_integer.e["x"].result}."
  }
}
