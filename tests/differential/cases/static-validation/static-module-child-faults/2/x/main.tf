variable "a" {
  type = foo
}
output "b" { value = var.c }
resource "terraform_data" "x" {
  foo = 1
}
