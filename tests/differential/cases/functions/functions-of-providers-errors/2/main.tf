terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
    random = {
      source = "hashicorp/random"
    }
  }
}

locals {
  null   = provider::time::duration_parse(null)
  type   = provider::time::duration_parse(["1s"])
  few    = provider::time::duration_parse()
  many   = provider::time::duration_parse("1s", "2s")
  number = provider::time::duration_parse(1).seconds
  gone   = provider::time::duration_pars("1s")
  other  = provider::local::direxists("x")
  attr   = provider::time::duration_parse("1s").second
}
