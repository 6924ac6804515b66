variable "a" {
  default = "x"
  validation {
    condition = 1
    error_message = "x"
  }
  validation {
    condition = "nope"
    error_message = "x"
  }
  validation {
    condition = length(var.a)
    error_message = "x"
  }
  validation {
    condition = true
    error_message = "x"
  }
  validation {
    condition = null
    error_message = null
  }
}
