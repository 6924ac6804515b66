terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

resource "tfcoremock_thing" "t" {
  id    = "t"
  name  = "second"
  rules = []

  disk {
    size = 10
  }

  disk {
    size = 20
  }
}
