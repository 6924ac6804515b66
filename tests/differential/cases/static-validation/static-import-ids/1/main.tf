variable "x" { type = string }
variable "l" { type = list(string) }
import {
  to = terraform_data.a
  id = null
}
import {
  to = terraform_data.b
  id = ""
}
import {
  to = terraform_data.c
  id = ["x"]
}
import {
  to = terraform_data.d
  id = terraform_data.d.id
}
import {
  to = terraform_data.e
  id = var.x
}
import {
  to = terraform_data.f
  id = var.l
}
import {
  to = terraform_data.g
  id = var.nope + nope.x
}
import {
  to = terraform_data.h
  id = 5
}
import {
  to = terraform_data.i
  id = each.key
}
resource "terraform_data" "a" {}
resource "terraform_data" "b" {}
resource "terraform_data" "c" {}
resource "terraform_data" "d" {}
resource "terraform_data" "e" {}
resource "terraform_data" "f" {}
resource "terraform_data" "g" {}
resource "terraform_data" "h" {}
resource "terraform_data" "i" {}
