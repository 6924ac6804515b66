terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
ephemeral "tls_private_key" "k" {
  for_each    = { RSA = null, ECDSA = "P256", ED25519 = null }
  algorithm   = each.key
  ecdsa_curve = each.value
}
ephemeral "tls_public_key" "p" {
  private_key_pem = ephemeral.tls_private_key.k["ECDSA"].private_key_pem
}
ephemeral "tls_public_key" "o" {
  private_key_openssh = ephemeral.tls_private_key.k["ED25519"].private_key_openssh
}
locals {
  rsa   = ephemeral.tls_private_key.k["RSA"]
  ecdsa = ephemeral.tls_private_key.k["ECDSA"]
  ed    = ephemeral.tls_private_key.k["ED25519"]
}
resource "terraform_data" "r" {
  input = 1
  lifecycle {
    precondition {
      condition     = local.rsa.rsa_bits == 2048 && local.rsa.ecdsa_curve == "P224"
      error_message = "Defaults: ${jsonencode(ephemeralasnull([local.rsa.rsa_bits]))}"
    }
    precondition {
      condition     = ephemeral.tls_public_key.p.public_key_pem == local.ecdsa.public_key_pem
      error_message = "Another key."
    }
    precondition {
      condition     = ephemeral.tls_public_key.o.public_key_openssh == local.ed.public_key_openssh
      error_message = "Another key."
    }
    precondition {
      condition     = ephemeral.tls_public_key.o.algorithm == "ED25519" && ephemeral.tls_public_key.p.algorithm == "ECDSA"
      error_message = "Another algorithm."
    }
    precondition {
      condition     = startswith(local.rsa.private_key_pem_pkcs8, "-----BEGIN PRIVATE KEY-----")
      error_message = "No PKCS8."
    }
  }
}
