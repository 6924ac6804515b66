variable "in" {
  validation {
    condition     = length(var.in) == 5
    error_message = "Got ${var.in}."
  }
}
output "in" { value = var.in }
