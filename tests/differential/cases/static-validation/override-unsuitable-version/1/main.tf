resource "terraform_data" "a" {
  input = 1
}
variable "v" {
  type = number
  default = 1
}
output "o" { value = 1 }
