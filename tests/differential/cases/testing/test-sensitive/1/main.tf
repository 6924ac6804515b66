variable "v" {
  default   = "a"
  sensitive = true
}
resource "terraform_data" "a" {
  input = var.v
}
output "o" {
  value     = terraform_data.a.output
  sensitive = true
}
