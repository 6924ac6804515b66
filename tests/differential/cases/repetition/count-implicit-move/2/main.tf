resource "terraform_data" "one" {
  count = 2
  input = "kept"
}
