variable "a" {
  default = 1
  validation {
    condition     = var.a < var.b
    error_message = "e"
  }
}
variable "b" {
  default = 2
  validation {
    condition     = var.b > var.a
    error_message = "e"
  }
}
variable "c" {
  default = 2
  validation {
    condition     = local.c > 1 && var.c > 1
    error_message = "e"
  }
}
locals {
  c = var.c
}
