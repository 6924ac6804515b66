variable "prefix" {
  type    = string
  default = "p"
}
resource "terraform_data" "s" {
  input = "${var.prefix}-setup"
}
output "made" {
  value = terraform_data.s.output
}
