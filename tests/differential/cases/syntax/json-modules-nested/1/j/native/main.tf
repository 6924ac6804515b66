variable "v" {}
resource "terraform_data" "r" { input = var.v }
output "v" { value = terraform_data.r.output }
output "path" { value = path.module }
