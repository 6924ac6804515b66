
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

variable "min" {
  default = 4
}
ephemeral "random_password" "p" {
  length = 12
  lifecycle {
    precondition {
      condition     = var.min <= 12
      error_message = "More than it has."
    }
    postcondition {
      condition     = length(self.result) >= var.min
      error_message = "Shorter than ${var.min}."
    }
  }
}
ephemeral "random_password" "dependent" {
  length = length(ephemeral.random_password.p.result)
}
resource "terraform_data" "r" {
  input = var.min
}
