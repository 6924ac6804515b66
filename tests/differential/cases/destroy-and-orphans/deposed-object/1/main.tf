resource "terraform_data" "stays" {
  input = "new"
}
