resource "terraform_data" "both" {
  count    = 1
  for_each = { a = 1 }
}
