variable "in" {
  type = object({
    a = optional(string, "da")
    b = optional(object({ c = optional(string, "dc") }), { c = "whole" })
  })
}
output "out" { value = var.in }
