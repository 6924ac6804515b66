variable "name" {}
resource "terraform_data" "deep" {
  for_each = toset(["x"])
  input    = "${each.key}-${var.name}"
}
