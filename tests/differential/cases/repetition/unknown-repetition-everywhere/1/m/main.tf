variable "in" {
  default = null
}
resource "terraform_data" "in" {}
