resource "terraform_data" "base" {
  input = 1
}
