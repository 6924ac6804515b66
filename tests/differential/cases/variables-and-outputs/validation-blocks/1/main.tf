variable "size" {
  type = number
  validation {
    condition     = var.size > 0
    error_message = "The size must be positive."
  }
  validation {
    condition     = var.size <= local.limit
    error_message = "The size ${var.size} is above ${local.limit}."
  }
}

variable "name" {
  type = string
  validation {
    condition     = can(regex("^[a-z]+$", var.name))
    error_message = "The name must be in lower case, but is \"${var.name}\"."
  }
  validation {
    condition     = var.size < 10 || length(var.name) > 10
    error_message = "A large one needs a long name."
  }
}

variable "secret" {
  type      = string
  default   = "long enough"
  sensitive = true
  validation {
    condition     = length(var.secret) > 3
    error_message = "The secret is too short."
  }
}

locals {
  limit = 20
}

output "n" {
  value = var.size
}
