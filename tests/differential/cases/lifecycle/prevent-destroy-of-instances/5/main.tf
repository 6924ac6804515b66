resource "terraform_data" "counted" {
  count = 2
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  lifecycle {
    prevent_destroy = true
  }
}
