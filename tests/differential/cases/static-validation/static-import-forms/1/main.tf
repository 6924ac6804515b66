import {
  id = "x"
}
import {
  to = "terraform_data.a"
  id = "x"
}
import {
  to = terraform_data.a.id
  id = "y"
}
import {
  to = data.x.y
  id = "y"
}
import {
  to = module.x
  id = "y"
}
import {
  to = terraform_data.b
  id = "y"
  provider = 1
  foo = 1
  blah {}
}
import {
  to = terraform_data.c[*]
  id = "y"
}
import {
  to = terraform_data.c[each.key]
  id = "y"
}
import {
  for_each = {}
  to = terraform_data.c
  id = "y"
}
import "x" {
  to = terraform_data.d
  id = "x"
}
import {
  to = foo()
  id = "x"
}
import {
  to = var.x
  id = "x"
}
