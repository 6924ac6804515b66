resource "terraform_data" "in" {
  for_each = toset(["k"])
}
