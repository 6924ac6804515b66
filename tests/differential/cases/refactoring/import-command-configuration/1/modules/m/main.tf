terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

variable "length" {
  type = number
}

resource "random_string" "s" {
  length = var.length
}

output "result" {
  value = random_string.s.result
}
