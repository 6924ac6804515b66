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

locals {
  a = provider::time::duration_parse("soon")
  b = provider::time::rfc3339_parse("2024-13-01T00:00:00Z")
  c = [for x in ["1s", "x"] : provider::time::duration_parse(x)]
}

resource "terraform_data" "a" {
  input = provider::time::duration_parse("then")
}

resource "terraform_data" "b" {
  count = provider::time::duration_parse("never").seconds
}

output "o" {
  value = "${provider::time::duration_parse("at last").seconds} s"
}
