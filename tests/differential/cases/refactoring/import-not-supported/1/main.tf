terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
  }
}

import {
  to = local_file.a
  id = "a"
}

resource "local_file" "a" {
  filename = "a"
  content  = "a"
}
