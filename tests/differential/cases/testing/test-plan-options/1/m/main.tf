resource "terraform_data" "c" {
  input = "c"
}
