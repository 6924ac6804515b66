
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "terraform_data" "r" {
  input = 12
}
ephemeral "random_password" "p" {
  length = 12
  lifecycle {
    postcondition {
      condition     = length(self.result) > 12 || !terraform.applying
      error_message = "Fails in the apply: ${self.result}"
    }
  }
}
ephemeral "random_password" "each" {
  for_each = toset(["a", "b"])
  length   = 4
  lifecycle {
    precondition {
      condition     = each.key == "a" || !terraform.applying
      error_message = "Only a."
    }
  }
}
resource "terraform_data" "dependent" {
  input = "y"
  lifecycle {
    precondition {
      condition     = ephemeral.random_password.p.result != ""
      error_message = "Empty."
    }
  }
}
resource "terraform_data" "independent" {
  input = "z"
}
