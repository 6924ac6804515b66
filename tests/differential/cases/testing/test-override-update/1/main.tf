variable "v" {
  default = "a"
}
resource "terraform_data" "a" {
  input            = var.v
  triggers_replace = var.v == "c" ? "x" : "y"
}
output "id" {
  value = terraform_data.a.id
}
output "o" {
  value = terraform_data.a.output
}
