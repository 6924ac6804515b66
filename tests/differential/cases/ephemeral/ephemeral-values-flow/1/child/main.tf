variable "given" {
  type      = string
  ephemeral = true
}
variable "plain" {
  type      = string
  ephemeral = true
}
output "back" {
  value     = "${var.given}!"
  ephemeral = true
}
output "plain" {
  value = ephemeralasnull(var.plain) == null ? "was null" : "was not"
}
