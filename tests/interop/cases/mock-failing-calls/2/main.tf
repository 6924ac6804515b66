terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

resource "tfcoremock_simple_resource" "a" {
  id     = "a"
  string = "1"
}

resource "tfcoremock_simple_resource" "b" {
  id     = "b"
  string = "${tfcoremock_simple_resource.a.string} b"
}

resource "tfcoremock_simple_resource" "c" {
  id     = "c"
  string = "1"
}
