resource "terraform_data" "a" {
  input = { x = 1, y = 1 }
}
resource "terraform_data" "list" {
  count = 2
  input = count.index
}
