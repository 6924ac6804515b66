resource "terraform_data" "x" { input = 1 }
output "id" { value = terraform_data.x.output }
