import {
  to = terraform_data.a
  id = terraform_data.a.id
}

resource "terraform_data" "a" {
  input = "x"
}

import {
  for_each = toset([for key in keys(terraform_data.b) : "${key}${terraform_data.b[key].id}"])
  to       = terraform_data.b[each.key]
  id       = "x"
}

resource "terraform_data" "b" {
  for_each = { a = 1 }
  input    = "x"
}

import {
  for_each = terraform_data.c
  to       = terraform_data.c[each.key]
  id       = terraform_data.c["a"].id
}

resource "terraform_data" "c" {
  for_each = { a = 1 }
  input    = "x"
}
