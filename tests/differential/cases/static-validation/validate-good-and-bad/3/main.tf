variable "required" {}
resource "terraform_data" "r" {
  input  = var.requird
  inputt = 1
}
