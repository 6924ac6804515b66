resource "terraform_data" "c" {
  count = 2
}

resource "terraform_data" "b" {}

moved {
  from = terraform_data.a
  to   = terraform_data.c
}
