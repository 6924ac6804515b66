import {
  to = terraform_data.a
  id = "x"
}
import {
  to = module.m.terraform_data.a
  id = "x"
}
import {
  to = terraform_data.b[0]
  id = "x"
}
import {
  to = terraform_data.c
  id = "x"
}
import {
  to = terraform_data.b["x"]
  id = "x"
}
import {
  to = terraform_data.d["x"]
  id = "x"
}
resource "terraform_data" "b" {}
resource "terraform_data" "c" { count = 1 }
resource "terraform_data" "d" { count = 1 }
