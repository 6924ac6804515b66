resource "terraform_data" "r" {
  input = null
}
