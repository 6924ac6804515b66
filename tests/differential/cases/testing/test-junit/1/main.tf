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
check "c" {
  assert {
    condition     = var.name != "checked"
    error_message = "check <says> \"no\""
  }
}
