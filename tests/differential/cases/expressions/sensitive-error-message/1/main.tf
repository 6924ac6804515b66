variable "s" {
  default   = "secret"
  sensitive = true
  validation {
    condition     = length(var.s) > 10
    error_message = "The value ${var.s} is too short."
  }
}

variable "plain" {
  default = "p"
}

resource "terraform_data" "r" {
  input = var.plain
  lifecycle {
    precondition {
      condition     = var.plain == "q"
      error_message = "Not ${sensitive("q")} but ${var.plain}."
    }
  }
}
