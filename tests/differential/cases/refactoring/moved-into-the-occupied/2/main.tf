resource "terraform_data" "b" {
  input = "b"
}
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
resource "terraform_data" "d" {
  count = 1
  input = "d"
}
moved {
  from = terraform_data.c
  to   = terraform_data.d[0]
}
