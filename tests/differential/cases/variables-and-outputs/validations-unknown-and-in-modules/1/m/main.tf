variable "in" {
  validation {
    condition     = var.in == "value"
    error_message = "Got ${var.in}."
  }
}
output "in" { value = var.in }
