variable "one" {}
variable "two" {}
resource "terraform_data" "one" { input = "${var.one}!" }
resource "terraform_data" "two" { input = "${var.two}?" }
output "one" { value = terraform_data.one.output }
output "two" { value = terraform_data.two.output }
