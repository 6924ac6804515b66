variable "a" {
  validation {
    condition     = true
    error_message = "x"
  }
}
variable "b" {
  default = 1
  validation {
    condition = var.b == 1
  }
  validation {
    error_message = "x"
  }
}
variable "c" {
  default = 1
  validation {
    condition     = local.c
    error_message = "x"
  }
  validation {
    condition     = var.c == var.nope
    error_message = "x ${var.nope2}"
  }
}
locals { c = var.c }
