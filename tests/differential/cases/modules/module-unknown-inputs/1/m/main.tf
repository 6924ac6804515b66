variable "id" {
  type     = string
  nullable = false
  validation {
    condition     = length(var.id) > 3
    error_message = "The id is too short."
  }
}

variable "list" {
  type = list(string)
}

variable "object" {
  type = object({ name = string, id = string, size = optional(number, 2) })
}

variable "any" {
  type = any
}

resource "terraform_data" "counted" {
  count = length(var.list) + var.object.size
  input = try(var.list[count.index], "none")
}

output "name" {
  value = upper(var.object.name)
}

output "count" {
  value = length(terraform_data.counted)
}

output "id" {
  value = "${var.id}!"
}

output "any" {
  value = var.any
}
