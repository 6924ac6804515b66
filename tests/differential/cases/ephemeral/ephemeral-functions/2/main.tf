variable "secret" {
  type      = string
  ephemeral = true
}
variable "list" {
  type      = list(string)
  ephemeral = true
}
output "a" {
  value = ephemeralasnull()
}
output "b" {
  value = ephemeralasnull(1, 2)
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
