terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

provider "tfcoremock" {
  use_only_state = true
}

data "tfcoremock_simple_resource" "d" {
  id = "known"
}

resource "tfcoremock_simple_resource" "r" {
  count  = data.tfcoremock_simple_resource.d.integer
  string = data.tfcoremock_simple_resource.d.string
}

output "count" {
  value = length(tfcoremock_simple_resource.r)
}
