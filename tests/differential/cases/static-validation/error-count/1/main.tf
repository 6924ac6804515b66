resource "terraform_data" "text" {
  count = "two"
}
resource "terraform_data" "list" {
  count = ["a"]
}
