resource "terraform_data" "x" { provider = terraform.z }
