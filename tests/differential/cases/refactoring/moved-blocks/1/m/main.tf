resource "terraform_data" "in" {
  input = "in"
}
