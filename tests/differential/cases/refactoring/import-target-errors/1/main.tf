import {
  to = terraform_data.a["x"]
  id = "1"
}

import {
  to = terraform_data.b[0]
  id = "2"
}

import {
  to = terraform_data.c
  id = "3"
}

import {
  to = terraform_data.d
  id = "4"
}

resource "terraform_data" "a" {
}

resource "terraform_data" "b" {
}

resource "terraform_data" "c" {
  count = 1
}

resource "terraform_data" "d" {
  for_each = toset(["x"])
}
