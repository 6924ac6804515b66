terraform {
  required_providers {
    time = { source = "hashicorp/time" }
    tls  = { source = "hashicorp/tls" }
  }
}

provider "time" {
  alias = "by"
}

provider "time" {
  alias    = "many"
  for_each = toset(["a", "b"])
}

provider "tls" {
  proxy {
    url = "http://localhost:${provider::time::by::duration_parse("1m").seconds}"
  }
}

locals {
  seconds = provider::time::by::duration_parse("2s").seconds
}

resource "terraform_data" "counted" {
  count = local.seconds
  input = provider::time::undeclared::duration_parse("${count.index}m").seconds

  lifecycle {
    postcondition {
      condition     = provider::time::by::duration_parse("${self.input}s").seconds == self.input
      error_message = "The postcondition has no configured provider."
    }
  }
}

resource "tls_private_key" "uses" {
  algorithm = provider::time::by::duration_parse("1s").seconds == 1 ? "ED25519" : "RSA"
}

module "passed" {
  source   = "./m"
  for_each = toset(["a", "b"])
  providers = {
    time    = time.by
    time.in = time.many[each.key]
  }
}

output "passed" {
  value = { for key, one in module.passed : key => one.seconds }
}

output "default" {
  value = provider::time::duration_parse("3s").seconds
}
