resource "terraform_data" "r" {
  depends_on = [terraform_data.absent]
  lifecycle {
    precondition {
      condition     = path.module == ""
      error_message = "y"
    }
  }
}
resource "terraform_data" "absent" {}
variable "absent" {}
output "absent" { value = 1 }
locals { absent = 1 }
module "absent" { source = "./m" }
