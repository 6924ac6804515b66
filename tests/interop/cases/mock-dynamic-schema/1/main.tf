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
  secret = "hidden"
  tags   = { a = "1" }
  ports  = [443, 80]
  plain  = { a = "x" }
  rules  = [{ port = 1, note = "hush" }, { port = 2 }]

  disk {
    size = 10
  }

  label {
    key   = "k"
    value = "hidden too"
  }
}

output "made" {
  value = tfcoremock_thing.t.made
}

output "either" {
  value = [tfcoremock_thing.t.either, tfcoremock_thing.t.rules[*].port]
}
