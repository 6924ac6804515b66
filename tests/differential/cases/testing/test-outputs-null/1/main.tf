variable "name" {
  type    = string
  default = "x"
}
resource "terraform_data" "a" {
  input = var.name
}
output "name" {
  value = terraform_data.a.output
}
output "id" {
  value = terraform_data.a.id
}
output "part" {
  value = { known = "a", unknown = terraform_data.a.id }
}
output "secret" {
  value     = "s3"
  sensitive = true
}
output "inner" {
  value     = { a = sensitive("x"), b = "y" }
  sensitive = true
}
