terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

provider "random" {
  alias = "other"
}

variable "id" {
  default = "p-9q"
}

resource "terraform_data" "known" {
  input = var.id
}

import {
  to       = random_id.d
  id       = "pre-,${terraform_data.known.input}"
  provider = random.other
}
