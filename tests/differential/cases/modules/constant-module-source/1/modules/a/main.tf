variable "name" {
  type    = string
  default = "none"
}

output "who" {
  value = "a ${var.name}"
}
