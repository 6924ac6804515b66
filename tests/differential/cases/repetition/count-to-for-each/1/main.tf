resource "terraform_data" "one" {
  count = 2
  input = count.index
}
