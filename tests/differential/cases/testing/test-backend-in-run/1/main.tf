variable "n" { default = "a" }
resource "terraform_data" "first" {
  input = var.n
  lifecycle { ignore_changes = [input] }
}
output "first" { value = terraform_data.first.output }
