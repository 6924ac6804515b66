variable "town" {
  description = "The name of the town."
  type        = string
  default     = "harbour"

  validation {
    condition     = can(regex("^[a-z]+$", var.town))
    error_message = "The name of a town consists of lower-case letters."
  }
}

variable "greeting" {
  description = "What the sign at the entrance says."
  type        = string
  default     = "Welcome to"
}

variable "services" {
  description = "The services of the town, by name."
  type = map(object({
    port     = number
    replicas = optional(number, 1)
    public   = optional(bool, true)
    labels   = optional(map(string), {})
  }))

  default = {
    bakery  = { port = 8080, replicas = 2 }
    library = { port = 8081, labels = { quiet = "yes" } }
    vault   = { port = 9000, public = false }
  }
}
