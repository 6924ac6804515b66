resource "terraform_data" "b" {
  count = 2
  input = terraform_data.b[0].id
}
