resource "terraform_data" "x" "y" {}
variable {}
output "a" "b" { value = 1 }
locals "x" {}
