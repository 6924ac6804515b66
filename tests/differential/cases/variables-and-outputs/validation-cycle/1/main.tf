variable "c" {
  default = 1
  validation {
    condition     = var.c == local.c
    error_message = "x"
  }
}
locals { c = var.c }
