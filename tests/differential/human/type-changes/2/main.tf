resource "terraform_data" "r" {
  input = ["list"]
}
resource "terraform_data" "s" {
  input = "text"
}
resource "terraform_data" "t" {
  input = { a = 1 }
}
resource "terraform_data" "u" {
  input = null
}
