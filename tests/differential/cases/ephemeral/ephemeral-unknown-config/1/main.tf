
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_integer" "n" {
  min = 7
  max = 7
}
ephemeral "random_password" "p" {
  length = random_integer.n.result
  lower  = false
}
resource "terraform_data" "r" {
  input = "x"
  lifecycle {
    precondition {
      condition     = length(ephemeral.random_password.p.result) >= 5
      error_message = "Too short."
    }
    precondition {
      condition     = !ephemeral.random_password.p.lower
      error_message = "Known though not opened."
    }
  }
}
output "null" {
  value = ephemeralasnull(ephemeral.random_password.p.result)
}
