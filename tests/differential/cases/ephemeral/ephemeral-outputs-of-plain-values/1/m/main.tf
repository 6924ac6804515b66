variable "secret" {
  ephemeral = true
}
output "whole" {
  value     = var.secret
  ephemeral = true
}
output "partial" {
  value     = { token = var.secret, user = "plain" }
  ephemeral = true
}
output "nested" {
  value     = [{ tokens = [var.secret] }, { tokens = [] }]
  ephemeral = true
}
output "plain" {
  value     = "plain"
  ephemeral = true
}
