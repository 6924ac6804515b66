variable "n" {}
output "n" {
  value = var.n
  precondition {
    condition     = var.n == 0
    error_message = "In m: ${var.n}."
  }
}
