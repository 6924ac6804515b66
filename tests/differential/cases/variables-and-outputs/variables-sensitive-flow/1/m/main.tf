variable "in" {}
variable "plain" { sensitive = true }
output "out" {
  value     = "x-${var.in}"
  sensitive = true
}
output "plain" { value = nonsensitive(var.plain) }
