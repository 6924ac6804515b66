variable "secret" {
  type      = string
  ephemeral = true
}
variable "list" {
  type      = list(string)
  ephemeral = true
}
output "c" {
  value = [for v in var.list : "static"]
}
output "d" {
  value = { for v in var.list : "static-${v}" => 1 }
}
output "e" {
  value = length(var.list)
}
output "f" {
  value = sensitive(var.secret)
}
output "g" {
  value = try(var.secret, "x")
}
output "h" {
  value = can(var.secret)
}
output "i" {
  value = var.secret != null
}
output "j" {
  value = regex("x", var.secret)
}
output "k" {
  value = tonumber(var.secret)
}
