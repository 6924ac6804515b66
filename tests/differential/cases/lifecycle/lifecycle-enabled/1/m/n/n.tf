resource "terraform_data" "innermost" {
  count = 2
  input = count.index
}
