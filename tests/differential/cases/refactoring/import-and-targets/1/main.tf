import {
  to = terraform_data.a
  id = "1"
}

import {
  to = terraform_data.b
  id = "2"
}

resource "terraform_data" "a" {
}

resource "terraform_data" "b" {
  input = terraform_data.c.id
}

resource "terraform_data" "c" {
}
