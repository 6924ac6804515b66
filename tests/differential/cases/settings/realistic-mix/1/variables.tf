variable "environment" {
  type    = string
  default = "dev"
  validation {
    condition     = contains(["dev", "prod"], var.environment)
    error_message = "Unknown environment."
  }
}

variable "services" {
  type = map(object({
    port     = number
    replicas = optional(number, 1)
    env      = optional(map(string), {})
  }))
}
