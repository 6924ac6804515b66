resource "terraform_data" "a" {
  input = "a"
}
resource "terraform_data" "b" {
  input = "b"
}
resource "terraform_data" "c" {
  input = "c"
}
resource "terraform_data" "d" {
  count = 1
  input = "d"
}
