variable "x" { type = set(string) }
import {
  for_each = ["a"]
  to = terraform_data.a[each.key]
  id = each.value
}
import {
  for_each = null
  to = terraform_data.b[each.key]
  id = each.value
}
import {
  for_each = 5
  to = terraform_data.c[each.key]
  id = each.value
}
import {
  for_each = sensitive({a=1})
  to = terraform_data.d[each.key]
  id = each.value
}
import {
  for_each = { a = "" }
  to = terraform_data.e[each.key]
  id = each.value
}
import {
  for_each = var.x
  to = terraform_data.f[each.key]
  id = each.value
}
import {
  for_each = toset(["a"])
  to = terraform_data.g[each.value]
  id = each.nope
}
import {
  for_each = toset(["a"])
  to = terraform_data.h["x-${each.value}"]
  id = each.key
}
import {
  for_each = toset(["a"])
  to = terraform_data.i[var.nope]
  id = each.key
}
import {
  for_each = toset(["a"])
  to = terraform_data.j[0]
  id = each.key
}
import {
  for_each = {a = 1}
  to = terraform_data.k[each.value]
  id = each.key
}
import {
  for_each = {a = "1"}
  to = terraform_data.l[sensitive(each.key)]
  id = each.key
}
import {
  for_each = {a = true}
  to = terraform_data.m[each.value]
  id = each.key
}
resource "terraform_data" "a" { for_each = {} }
resource "terraform_data" "b" { for_each = {} }
resource "terraform_data" "c" { for_each = {} }
resource "terraform_data" "d" { for_each = {} }
resource "terraform_data" "e" { for_each = {} }
resource "terraform_data" "f" { for_each = {} }
resource "terraform_data" "g" { for_each = {} }
resource "terraform_data" "h" { for_each = {} }
resource "terraform_data" "i" { for_each = {} }
resource "terraform_data" "j" { for_each = {} }
resource "terraform_data" "k" { for_each = {} }
resource "terraform_data" "l" { for_each = {} }
resource "terraform_data" "m" { for_each = {} }
