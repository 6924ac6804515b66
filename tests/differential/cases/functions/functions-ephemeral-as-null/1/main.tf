variable "e" {
  type      = string
  default   = "x"
  ephemeral = true
}
output "o01" {
  value = ephemeralasnull(var.e)
}
output "o02" {
  value = ephemeralasnull({a = var.e, b = 1})
}
output "o03" {
  value = ephemeralasnull([var.e, "y"])
}
output "o04" {
  value = ephemeralasnull("plain")
}
output "o05" {
  value = ephemeralasnull([for x in [var.e] : upper(x)])
}
