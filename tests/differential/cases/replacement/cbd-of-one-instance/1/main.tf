variable "v" {
  default = "1"
}
resource "terraform_data" "below" {
  for_each         = { a = "same", b = var.v }
  triggers_replace = each.value
}
resource "terraform_data" "top" {
  for_each = terraform_data.below
  input    = each.value.id
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "reader" {
  input = terraform_data.below["a"].id
}
