variable "secret" {
  type      = string
  ephemeral = true
  validation {
    condition     = var.secret != "bad"
    error_message = "The value ${var.secret} is bad."
  }
  validation {
    condition     = var.secret != "bad"
    error_message = "Plainly bad."
  }
}
variable "other" {
  default = "x"
  validation {
    condition     = var.other == var.secret
    error_message = "Not the same."
  }
}
