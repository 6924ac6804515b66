variable "n" { default = "a" }
resource "terraform_data" "x" { input = var.n }
output "o" { value = terraform_data.x.output }
