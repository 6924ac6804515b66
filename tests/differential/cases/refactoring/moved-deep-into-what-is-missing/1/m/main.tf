resource "terraform_data" "in" {
  count = 2
}
