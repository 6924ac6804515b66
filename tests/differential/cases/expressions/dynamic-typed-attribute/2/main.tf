resource "terraform_data" "r" {
  input = 1
}
