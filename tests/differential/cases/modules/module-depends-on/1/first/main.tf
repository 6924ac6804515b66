resource "terraform_data" "one" {
  input = "one"
}
