variable "a" {
  default = 1
  validation {
    condition     = var.a == 1 ? "maybe" : "yes"
    error_message = 5
  }
}
variable "b" {
  default = 1
  validation {
    condition     = var.b > 1
    error_message = ["x"]
  }
}
variable "c" {
  default = 1
  validation {
    condition     = var.c > 1
    error_message = "   "
  }
}
