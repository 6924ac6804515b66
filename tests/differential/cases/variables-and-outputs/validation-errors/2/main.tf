variable "d" {
  default = 1
  validation {
    condition     = var.d
    error_message = "x"
  }
  validation {
    condition     = var.d == null ? true : null
    error_message = "x"
  }
  validation {
    condition     = var.d[0]
    error_message = "x"
  }
  validation {
    condition     = var.d == 2
    error_message = 5
  }
  validation {
    condition     = var.d == 2
    error_message = null
  }
  validation {
    condition     = var.d == 2
    error_message = [var.d]
  }
  validation {
    condition     = var.d == 2
    error_message = ""
  }
}
variable "e" {
  default   = "secret"
  sensitive = true
  validation {
    condition     = var.e == "x"
    error_message = "It is ${var.e}."
  }
}
