terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

resource "tfcoremock_thing" "t" {
  id   = "t"
  name = "second"

  disk {
    size = 11
  }

  lifecycle {
    create_before_destroy = true
    ignore_changes        = [disk[0].label]
  }
}
