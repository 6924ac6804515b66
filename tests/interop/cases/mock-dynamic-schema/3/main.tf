terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

resource "tfcoremock_thing" "t" {
  id     = "t"
  name   = "first"
  secret = "changed"
  tags   = { a = "2", b = null }
  ports  = [80]
  plain  = { b = true }
  rules  = [{ port = 2, note = "loud" }]

  disk {
    size  = 10
    label = "root"
  }

  label {
    key   = "k"
    value = "other"
  }
}
