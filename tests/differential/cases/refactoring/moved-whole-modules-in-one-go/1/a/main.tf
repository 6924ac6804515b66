resource "terraform_data" "x" {
  input = "x"
}
resource "terraform_data" "y" {
  count = 2
}
