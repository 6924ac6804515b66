variable "length" {
  type = number
}
ephemeral "random_password" "p" {
  length = var.length
}
output "secret" {
  value     = ephemeral.random_password.p.result
  ephemeral = true
}
