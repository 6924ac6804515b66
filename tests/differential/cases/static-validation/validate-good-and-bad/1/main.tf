variable "required" {}
resource "terraform_data" "r" {
  input = var.required
}
