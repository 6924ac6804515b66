resource "terraform_data" "each" {
  for_each = { first = 10, second = 11, third = 13 }
  input    = each.value
}
