variable "text" { type = string }
variable "number" { type = number }
variable "flag" { type = bool }
variable "list" { type = list(string) }
variable "set" { type = set(string) }
variable "map" { type = map(string) }

variable "object" {
  type = object({
    name  = string
    size  = optional(number, 10)
    note  = optional(string)
    inner = optional(object({ a = optional(string, "x"), b = optional(string, "y") }), {})
  })
}

variable "objects" {
  type = list(object({
    name   = string
    size   = optional(number, 1)
    labels = optional(map(string), { default = "yes" })
  }))
}

variable "tuple" { type = tuple([string, number, string]) }
variable "any" { type = any }

variable "not_null" {
  type     = string
  default  = "the default"
  nullable = false
}

variable "maybe" {
  type    = string
  default = "unused"
}

locals {
  all = {
    text = var.text, number = var.number, flag = var.flag, list = var.list, set = var.set, map = var.map
    object = var.object, objects = var.objects, tuple = var.tuple, any = var.any
    not_null = var.not_null, maybe = var.maybe
  }
}

resource "terraform_data" "all" {
  input = local.all
}

output "all" {
  value = terraform_data.all.output
}
