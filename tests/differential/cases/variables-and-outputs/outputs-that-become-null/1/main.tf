variable "text" {
  type    = string
  default = "a"
}

output "secret" {
  value     = var.text
  sensitive = true
}

output "text" {
  value = var.text
}

output "never" {
  value = tonumber(null)
}
