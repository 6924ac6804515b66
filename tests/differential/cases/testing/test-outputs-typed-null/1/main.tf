variable "m" {
  type    = map(any)
  default = {}
}
output "m" {
  value = var.m
}
output "keys" {
  value = keys(var.m)
}
output "none" {
  value = lookup(var.m, "x", null)
}
