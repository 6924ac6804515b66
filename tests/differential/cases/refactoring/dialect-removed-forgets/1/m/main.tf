resource "terraform_data" "inner" {
  input = 4
}
