terraform {
  required_providers {
    nothing = {
      source  = "hashicorp/null"
      version = "~> 3.0"
    }
  }
}

resource "null_resource" "r" {
  provider = nothing
}

data "null_data_source" "d" {
  provider = nothing
  inputs   = { a = "b" }
}

output "d" {
  value = data.null_data_source.d.outputs
}
