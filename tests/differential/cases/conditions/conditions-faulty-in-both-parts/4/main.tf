variable "x" {
  default = 1
}

locals {
  l = ["a"]
}

resource "terraform_data" "a" {}

variable "v0" {
  default = 1
  validation {
    condition     = var.v0 == 2 && each.value
    error_message = ["x"]
  }
}

variable "v1" {
  default = 1
  validation {
    condition     = var.v1 == 2 && local.missing
    error_message = self.id
  }
}

variable "v2" {
  default = 1
  validation {
    condition     = var.v2 == 2 && count.index == 1
    error_message = "a ${var.missing}"
  }
}

variable "v3" {
  default = 1
  validation {
    condition     = var.v3 == 2 && self.id == ""
    error_message = "${var.x}"
  }
}

variable "v4" {
  default = 1
  validation {
    condition     = var.v4 == 2 && terraform_data.a.bogus == 1
    error_message = "${var.x} ${local.l}"
  }
}

variable "v5" {
  default = 1
  validation {
    condition     = var.v5 == 2 && nofunc()
    error_message = null
  }
}

variable "v6" {
  default = 1
  validation {
    condition     = var.v6 == 2 && 1 + true
    error_message = sensitive("x")
  }
}

variable "v7" {
  default = 1
  validation {
    condition     = var.v7 == 2 && path.nope == ""
    error_message = upper(1, 2)
  }
}

variable "v8" {
  default = 1
  validation {
    condition     = var.v8 == 2 && terraform.nope
    error_message = "${each.key}"
  }
}

variable "v9" {
  default = 1
  validation {
    condition     = var.v9 == 2 && null
    error_message = ["x"]
  }
}

variable "v10" {
  default = 1
  validation {
    condition     = var.v10 == 2 && sensitive(false)
    error_message = sensitive("x")
  }
}

variable "v11" {
  default = 1
  validation {
    condition     = var.v11 == 2 && terraform_data.a.id == 1
    error_message = terraform_data.a.bogus
  }
}
