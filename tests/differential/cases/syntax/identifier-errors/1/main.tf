variable "1a" {}
variable "a b" {}
variable "a.b" {}
variable "" {}
variable "-a" {}
output "1x" { value = 1 }
output "" { value = 1 }
resource "terraform_data" "a b" {}
resource "terraform_data" "0" {}
resource "terraform data" "a" {}
data "x" "y z" {}
