variable "n" {
  default = 2
}
variable "keys" {
  type    = list(string)
  default = ["a", "b"]
}
resource "terraform_data" "counted" {
  count = var.n
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
module "m" {
  source   = "./m"
  for_each = toset(var.keys)
}
