variable "x" {
  validation {
    condition     = var.x == "expected"
    error_message = "It is ${var.x}."
  }
}
resource "terraform_data" "inside" {
  input = var.x
}
output "x" {
  value = var.x
}
