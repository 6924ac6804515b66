terraform {
  required_providers {
    foo = { source = "terraform.io/builtin/terraform" }
  }
}

variable "a" {
  tpe = string
}

module "m" {
  source = "./m"
  providers = {
    foo   = foo.other
    bar   = foo
    baz.x = foo
  }
}
