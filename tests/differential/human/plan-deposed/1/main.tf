resource "terraform_data" "a" {
  input = "current"
}
