variable "max" { default = 100 }
variable "n" {
  type    = number
  default = 50
  validation {
    condition     = var.n <= var.max
    error_message = "The value ${var.n} is more than ${var.max}."
  }
  validation {
    condition     = var.n % 2 == 0
    error_message = "Not even: ${var.n}."
  }
  validation {
    condition     = var.n > local.min && !contains([for i in range(3) : i * 100], var.n)
    error_message = "Too small, or a multiple."
  }
}
variable "name" {
  default = "good"
  validation {
    condition     = can(regex("^[a-z-]+$", var.name))
    error_message = <<-EOT
      Names are small letters.
        Not: ${var.name}
    EOT
  }
}
variable "secret" {
  default   = "long enough"
  sensitive = true
  validation {
    condition     = length(var.secret) > 8
    error_message = "Too short."
  }
}
variable "list" {
  type    = list(string)
  default = ["a", "b"]
  validation {
    condition     = length(distinct(var.list)) == length(var.list)
    error_message = "Duplicates in ${jsonencode(var.list)}."
  }
  validation {
    condition     = alltrue([for x in var.list : length(x) == 1]) && terraform_data.r.input == "in"
    error_message = "Never."
  }
}
locals { min = 10 }
resource "terraform_data" "r" { input = "in" }
output "n" { value = var.n }
