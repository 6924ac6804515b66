variable "n" {
  default = 2
}
variable "keys" {
  type    = list(string)
  default = ["a", "b"]
}
resource "terraform_data" "counted" {
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "each" {
  for_each = toset(var.keys)
  lifecycle {
    prevent_destroy = true
  }
}
