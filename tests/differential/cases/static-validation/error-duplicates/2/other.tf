resource "terraform_data" "x" {
  input = 1
  input = 2
  lifecycle {}
  lifecycle {}
}
