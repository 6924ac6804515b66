variable "secret" {
  type      = string
  ephemeral = true
}
output "only" {
  value     = var.secret
  ephemeral = true
}
