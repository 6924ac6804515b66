variable "a" {
  ephemeral = "maybe"
}
variable "b" {
  ephemeral = var.a
}
output "c" {
  value     = 1
  ephemeral = null
}
