variable "secret" {
  type      = string
  const     = true
  sensitive = true
}

variable "passing" {
  type      = string
  const     = true
  ephemeral = true
}
