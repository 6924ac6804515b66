variable "maybe" {
  type    = map(string)
  default = null
}
resource "terraform_data" "null" {
  for_each = var.maybe
}
