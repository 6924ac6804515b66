variable "v" {
  default = "given"
}
variable "missing" {
  type = object({ a = number, b = list(string) })
}
variable "secret" {
  default   = "hidden"
  sensitive = true
}
variable "token" {
  default   = "gone"
  ephemeral = true
}
locals {
  l      = [1, "two", null]
  hidden = { a = var.secret, b = 1 }
  pass   = "t-${var.token}"
}
resource "terraform_data" "one" {
  input = { k = "v", s = var.secret }
}
resource "terraform_data" "many" {
  count = 2
  input = count.index
}
resource "terraform_data" "each" {
  for_each = toset(["x", "y"])
  input    = each.key
}
output "o" {
  value = terraform_data.one.output.k
}
