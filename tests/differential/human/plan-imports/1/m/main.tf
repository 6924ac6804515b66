resource "terraform_data" "inside" {
  count = 2
  input = count.index
}
