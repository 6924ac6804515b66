resource "terraform_data" "one" {
  input = "kept"
}
