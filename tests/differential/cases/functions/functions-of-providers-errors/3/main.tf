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

variable "d" {
  default = "later"
}

locals {
  from_variable = provider::time::duration_parse(var.d).seconds
}

resource "terraform_data" "a" {
  input = local.from_variable
}

resource "terraform_data" "b" {
  for_each = toset([provider::time::duration_parse(var.d).seconds])
}

resource "terraform_data" "c" {
  lifecycle {
    precondition {
      condition     = provider::time::duration_parse(var.d).seconds > 0
      error_message = "Not long: ${var.d}"
    }
  }
}
