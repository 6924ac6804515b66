variable "unset" {
  type    = string
  default = null
}

variable "list" {
  type    = list(string)
  default = ["a", null]
}

resource "terraform_data" "r" {
  input            = var.unset
  triggers_replace = null
}

resource "terraform_data" "in" {
  input = { a = null, b = [null], c = var.unset, d = var.list }
}

output "unset" { value = var.unset }
output "equal" { value = [var.unset == null, null == null, var.unset != null, var.list[1] == null] }
output "coalesce" { value = coalesce(var.unset, "fallback") }
output "conditional" { value = var.unset == null ? "is null" : var.unset }
output "object" { value = { a = null, b = var.unset } }
output "converted" { value = [tostring(null), tonumber(null), tolist(null), try(length(null), "failed")] }
output "splat" { value = [for x in [var.unset, "b"] : x[*]] }
