resource "terraform_data" "gone" {
  input = terraform_data.a.output
}
