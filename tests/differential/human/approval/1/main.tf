variable "v" {
  default = 1
}
resource "terraform_data" "r" {
  input = "r"
}
output "v" {
  value = var.v
}
