variable "given" {
  ephemeral = true
}
output "shape" {
  value = ephemeralasnull(var.given)
}
