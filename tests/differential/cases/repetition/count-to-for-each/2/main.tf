resource "terraform_data" "one" {
  for_each = toset(["x", "y"])
  input    = each.key
}
