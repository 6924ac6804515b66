resource "terraform_data" "inside" {
  input = "in"
}
