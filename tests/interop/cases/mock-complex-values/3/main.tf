terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

resource "tfcoremock_complex_resource" "c" {
  id = "c"

  list = [{ string = "l2", list = [{ bool = false }] }]
  set  = [{ string = "s2" }, { string = "s3" }]
  map  = { b = { float = 0.2 }, c = {} }
  object = {
    object = { string = "oo", map = { k = { string = "deeper" } } }
  }

  list_block {
    string = "lb2"
  }

  dynamic "set_block" {
    for_each = toset([1, 2, 3])

    content {
      string  = "sb${set_block.key}"
      integer = set_block.value
    }
  }
}
