resource "terraform_data" "reader" {
  input = "nothing to read"
}
