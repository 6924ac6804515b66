resource "terraform_data" "in" {
  count = 2
  input = "in${count.index}"
}
