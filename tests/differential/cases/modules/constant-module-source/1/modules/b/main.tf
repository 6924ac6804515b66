variable "name" {
  type    = string
  default = "none"
}

output "who" {
  value = "b ${var.name}"
}
