
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

ephemeral "random_password" "p" {
  length = 12
}
ephemeral "random_password" "many" {
  count            = 2
  length           = 8 + count.index
  special          = false
  override_special = "_"
}
ephemeral "random_bytes" "b" {
  for_each = toset(["x", "y"])
  length   = 4
}
locals {
  joined = "${ephemeral.random_password.p.result}-${ephemeral.random_password.many[1].result}"
}
resource "terraform_data" "r" {
  input = "static"
  lifecycle {
    precondition {
      condition     = length(local.joined) == 22
      error_message = "Wrong length."
    }
    precondition {
      condition     = length(ephemeral.random_bytes.b["x"].hex) == 8
      error_message = "Wrong length of bytes."
    }
  }
}
output "names" {
  value = ephemeralasnull(ephemeral.random_password.many[*].result)
}
output "attributes" {
  value = ephemeralasnull(ephemeral.random_password.p)
}
