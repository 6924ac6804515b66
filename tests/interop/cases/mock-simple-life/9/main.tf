terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

import {
  to = tfcoremock_simple_resource.adopted
  id = "adopted"
}

removed {
  from = tfcoremock_simple_resource.one

  lifecycle {
    destroy = false
  }
}

resource "tfcoremock_simple_resource" "adopted" {
  id     = "adopted"
  string = "there already"
}

resource "tfcoremock_simple_resource" "two" {
  id     = "two"
  string = "alone"

  lifecycle {
    create_before_destroy = true
  }
}
