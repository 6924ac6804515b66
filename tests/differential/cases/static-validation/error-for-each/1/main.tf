variable "secret" {
  type      = map(string)
  default   = { a = "b" }
  sensitive = true
}
variable "maybe" {
  type    = map(string)
  default = null
}
resource "terraform_data" "null" {
  for_each = var.maybe
}
resource "terraform_data" "list" {
  for_each = ["a", "b"]
}
resource "terraform_data" "text" {
  for_each = "a"
}
resource "terraform_data" "numbers" {
  for_each = toset([1, 2])
}
resource "terraform_data" "set_with_null" {
  for_each = toset(["a", null])
}
resource "terraform_data" "objects" {
  for_each = toset([{ a = 1 }])
}
resource "terraform_data" "sensitive" {
  for_each = var.secret
}
module "m" {
  source   = "./m"
  for_each = ["x"]
}
