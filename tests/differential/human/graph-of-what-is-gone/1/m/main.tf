variable "x" {}
resource "terraform_data" "in" { input = var.x }
