variable "secret" {
  sensitive = true
}

resource "terraform_data" "secret" {
  input = var.secret
}

output "secret" {
  value     = terraform_data.secret.output
  sensitive = true
}
