variable "a" {
  validation {}
}
variable "b" {
  validation {
    condition = var.b
  }
}
variable "c" {
  validation {
    error_message = "x"
  }
}
variable "d" {
  validation {
    condition = true
    error_message = "x"
  }
}
variable "e" {
  validation {
    condition = var.e
    error_message = 1
    foo = 1
  }
}
variable "f" {
  validation {
    condition = local.x && each.value && self.x && count.index && path.foo && terraform.foo && terraform_data.foo.id
    error_message = var.nope
  }
}
variable "g" {
  validation "x" {
    condition = var.g != ""
    error_message = "no"
  }
}
variable "h" {
  validation {
    condition = var.h == ""
    error_message = "lower case no period"
  }
  validation {
    condition = var.h == ""
    error_message = ""
  }
}
