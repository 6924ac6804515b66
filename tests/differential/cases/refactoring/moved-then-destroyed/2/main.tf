resource "terraform_data" "c" {
  input = 1
}

moved {
  from = terraform_data.a
  to   = terraform_data.c
}
