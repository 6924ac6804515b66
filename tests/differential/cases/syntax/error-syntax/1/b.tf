resource "terraform_data" "r" {
  input = "unclosed
}
