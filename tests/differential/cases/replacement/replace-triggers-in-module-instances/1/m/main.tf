variable "v" {}
variable "keys" {
  default = ["x", "y"]
}
resource "terraform_data" "source" {
  for_each = toset(var.keys)
  input    = each.key == "x" ? var.v : 1
}
resource "terraform_data" "by_key" {
  for_each = toset(var.keys)
  lifecycle {
    replace_triggered_by = [terraform_data.source[each.key]]
  }
}
resource "terraform_data" "by_any" {
  lifecycle {
    replace_triggered_by = [terraform_data.source]
  }
}
