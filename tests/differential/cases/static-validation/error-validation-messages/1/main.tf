variable "secret" {
  default   = "x"
  sensitive = true
}
variable "a" {
  default = 1
  validation {
    condition     = var.a > 1
    error_message = "no ${var.secret}"
  }
}
variable "b" {
  default = 1
  validation {
    condition     = var.b > 1
    error_message = terraform_data.r.id
  }
}
variable "c" {
  default = 1
  validation {
    condition     = var.c > 1 ? true : null
    error_message = "c"
  }
}
variable "d" {
  default   = 1
  ephemeral = true
  validation {
    condition     = var.d > 1
    error_message = "d is ${var.d}"
  }
}
variable "e" {
  default   = "e"
  sensitive = true
  validation {
    condition     = var.e == "f"
    error_message = "e is not f"
  }
}
resource "terraform_data" "r" {
}
