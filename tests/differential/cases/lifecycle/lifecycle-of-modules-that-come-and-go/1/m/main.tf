variable "name" {}
resource "terraform_data" "r" {
  input = var.name
  lifecycle {
    postcondition {
      condition     = self.input != ""
      error_message = "Empty."
    }
  }
}
output "r" {
  value = terraform_data.r.output
  precondition {
    condition     = var.name != ""
    error_message = "Empty."
  }
}
