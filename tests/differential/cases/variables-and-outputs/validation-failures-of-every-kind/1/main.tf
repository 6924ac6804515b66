variable "a" {
  default = "x"
  validation {
    condition = length(var.a)
    error_message = "x"
  }
}
variable "b" {
  default = "x"
  validation {
    condition = length(var.b) > 0 ? null : true
    error_message = "x"
  }
}
variable "c" {
  default = "x"
  validation {
    condition = length(var.c) > 2
    error_message = "C is ${var.c}, bad: ${length(var.c)}"
  }
}
variable "d" {
  default = "x"
  sensitive = true
  validation {
    condition = length(var.d) > 2
    error_message = "D is ${var.d}"
  }
}
variable "e" {
  default = "x"
  sensitive = true
  validation {
    condition = length(var.e) > 2
    error_message = "Too short."
  }
}
variable "f" {
  default = ["x"]
  validation {
    condition = var.f[1] == "x"
    error_message = "Too short."
  }
}
variable "g" {
  default = "x"
  validation {
    condition = length(var.g) > 2
    error_message = null
  }
}
variable "h" {
  default = "x"
  validation {
    condition = length(var.h) > 2
    error_message = ["a"]
  }
}
variable "i" {
  default = "x"
  validation {
    condition = length(var.i) > 2
    error_message = var.i[0]
  }
}
variable "j" {
  default = "x"
  validation {
    condition = contains(["a","b"], var.j) || local.y == "z"
    error_message = "J: ${local.y}"
  }
}
locals { y = "q" }
