terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "d" {
  type = string
  validation {
    condition     = provider::time::duration_parse(var.d).seconds > 0
    error_message = "Not long."
  }
}
