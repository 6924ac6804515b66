resource "terraform_data" "r" {
  input = { b = 2, a = "1" }
}
