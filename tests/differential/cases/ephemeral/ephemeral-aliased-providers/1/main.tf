terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
provider "tls" {
  alias = "second"
}
ephemeral "tls_private_key" "k" {
  provider  = tls.second
  algorithm = "ED25519"
}
module "m" {
  source = "./m"
  providers = {
    tls = tls.second
  }
  pem = ephemeral.tls_private_key.k.private_key_pem
}
output "same" {
  value = ephemeralasnull(module.m.openssh == ephemeral.tls_private_key.k.public_key_openssh)
}
