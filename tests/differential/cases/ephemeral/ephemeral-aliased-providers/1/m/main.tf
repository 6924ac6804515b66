terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
variable "pem" {
  ephemeral = true
  sensitive = true
}
ephemeral "tls_public_key" "p" {
  private_key_pem = var.pem
}
output "openssh" {
  value     = ephemeral.tls_public_key.p.public_key_openssh
  ephemeral = true
}
