resource "terraform_data" "0bad" {}
resource "terraform_data" "bad name" {}
variable "source" {}
variable "bad.name" {}
output "1" { value = 1 }
module "bad name" { source = "./m" }
locals {
  "quoted" = 1
}
