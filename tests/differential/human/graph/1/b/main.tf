variable "x" {}
resource "terraform_data" "in" { input = var.x }
resource "terraform_data" "other" { input = 1 }
output "y" { value = terraform_data.in.output }
