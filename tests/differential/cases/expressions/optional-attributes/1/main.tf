variable "services" {
  type = map(object({
    image    = string
    replicas = optional(number, 1)
    env      = optional(map(string))
    ports = optional(list(object({
      port     = number
      protocol = optional(string, "tcp")
    })), [{ port = 80 }])
    limits = optional(object({
      cpu    = optional(string, "100m")
      memory = optional(string, "128Mi")
    }))
  }))
}

variable "default_of_default" {
  type = object({
    a = optional(set(string), ["z", "y", "z"])
    b = optional(tuple([string, bool]), ["1", "true"])
    c = optional(any, { x = [1] })
  })
  default = {}
}

output "defaults" {
  value = var.default_of_default
}

output "services" {
  value = var.services
}
