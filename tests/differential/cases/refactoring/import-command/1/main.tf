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

resource "random_id" "c" {
  count       = 2
  byte_length = 3
  prefix      = count.index == 1 ? "pre-" : null
}

resource "random_uuid" "u" {}

resource "random_password" "p" {
  length = 8

  lifecycle {
    precondition {
      condition     = var.strict == false
      error_message = "This does not matter for taking over the object itself."
    }
  }
}

variable "strict" {
  default = false
}

check "integer" {
  assert {
    condition     = random_integer.e["x"].result > 100
    error_message = "The number is ${random_integer.e["x"].result}."
  }
}

resource "terraform_data" "d" {
  input = random_uuid.u.result

}

output "integer" {
  value = random_integer.e["x"].result
}

output "uuid" {
  value = random_uuid.u.result
}

output "hidden" {
  value     = random_password.p.result
  sensitive = true
}
