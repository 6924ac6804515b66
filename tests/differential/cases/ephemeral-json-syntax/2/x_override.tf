variable "secret" {
  ephemeral = false
}
