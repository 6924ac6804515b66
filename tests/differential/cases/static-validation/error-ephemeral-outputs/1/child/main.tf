variable "secret" {
  ephemeral = true
}
output "leaks" {
  value = var.secret
}
output "not_ephemeral" {
  value     = "plain"
  ephemeral = true
}
output "partly" {
  value     = { a = var.secret }
  ephemeral = true
}
