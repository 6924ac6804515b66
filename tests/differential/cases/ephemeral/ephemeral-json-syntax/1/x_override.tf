variable "secret" {
  ephemeral = true
}
