resource "terraform_data" "r" {
  input = "text"
}
resource "terraform_data" "s" {
  input = { a = 1 }
}
resource "terraform_data" "t" {
  input = [1, 2]
}
resource "terraform_data" "u" {
  input = "x"
}
