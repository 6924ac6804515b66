variable "list" {
  default = []
}
variable "settings" {
  type    = object({ size = optional(number), tags = optional(map(string)) })
  default = null
}
variable "flag" {
  type    = bool
  default = null
}
variable "checked" {
  type    = list(string)
  default = []
  validation {
    condition     = length(var.checked) == 0 || startswith(var.checked[0], "x")
    error_message = "The first must begin with an x."
  }
}
resource "terraform_data" "a" {
  count = var.settings != null && var.settings.size > 2 ? 2 : 1
  input = [for x in [1, 2] : x > 2 && var.list[x]]
  lifecycle {
    precondition {
      condition     = var.settings == null || var.settings.tags["a"] == "b"
      error_message = "Tags."
    }
    postcondition {
      condition     = self.output != null || self.output[5]
      error_message = "Nothing."
    }
  }
}
check "c" {
  assert {
    condition     = length(var.list) == 0 || var.list[0] == 1
    error_message = "First."
  }
}
output "left" {
  value = [
    length(var.list) > 0 && var.list[0] == "x",
    length(var.list) == 0 || var.list[0] == "x",
    false && tobool("maybe"),
    "false" && [][0],
    try(false && [][0], "caught"),
    can(true && [][0]),
  ]
}
output "right" {
  value = [[][0] && false, [][0] || true]
}
output "unknown" {
  value = [terraform_data.a[0].id == "x" && false, true || terraform_data.a[0].id == "x"]
}
output "secret" {
  value     = [sensitive(false) && [][0], [][0] || sensitive(true)]
  sensitive = true
}
