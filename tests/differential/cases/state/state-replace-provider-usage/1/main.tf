resource "terraform_data" "many" {
  count = 2
}
