terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

resource "tfcoremock_simple_resource" "one" {
  id     = "one"
  bool   = false
  number = 12345678901234567890.5
  string = "other"
}

resource "tfcoremock_simple_resource" "two" {
  id     = "two"
  string = tfcoremock_simple_resource.one.string
}
