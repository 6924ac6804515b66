variable "in" {}
output "out" {
  value = tonumber(var.in)
}
