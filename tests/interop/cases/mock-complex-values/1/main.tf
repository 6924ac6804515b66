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

  list = [{ string = "l1" }, { string = "l2", list = [{ bool = true }] }]
  set  = [{ string = "s1" }, { string = "s2" }]
  map  = { a = { integer = 1 }, b = { float = 0.1 } }
  object = {
    string = "o"
    object = { string = "oo", map = { k = { string = "deep" } } }
  }

  list_block {
    string = "lb1"

    set_block {
      string = "inner"
    }
  }

  list_block {
    string = "lb2"
  }

  set_block {
    string = "sb1"
  }

  set_block {
    string  = "sb2"
    integer = 2
  }
}
