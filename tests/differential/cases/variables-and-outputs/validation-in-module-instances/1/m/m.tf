variable "n" {
  type = number
  validation {
    condition     = var.n <= var.max
    error_message = "${var.n} is more than ${var.max}."
  }
}
variable "max" {
  type      = number
  sensitive = false
}
