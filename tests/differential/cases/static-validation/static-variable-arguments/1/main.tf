variable "a" {
  descripton = "x"
  description = 1
  sensitive = "x"
  nullable = null
  ephemeral = "true"
}
variable "b" {
  description = var.x
  sensitive = var.x
  nullable = "maybe"
  ephemeral = []
}
variable "c" {
  description = null
  sensitive = "true"
  validations {}
}
