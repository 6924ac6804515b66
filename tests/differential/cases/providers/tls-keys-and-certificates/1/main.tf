terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}

resource "tls_private_key" "rsa" {
  algorithm = "RSA"
  rsa_bits  = 2048
}

resource "tls_private_key" "ecdsa" {
  algorithm   = "ECDSA"
  ecdsa_curve = "P384"
}

resource "tls_private_key" "ed25519" {
  algorithm = "ED25519"
}

resource "tls_self_signed_cert" "ca" {
  private_key_pem = tls_private_key.ecdsa.private_key_pem
  subject {
    common_name  = "Test Authority"
    organization = "Example"
    country      = "CH"
  }
  validity_period_hours = 240
  is_ca_certificate     = true
  allowed_uses          = ["cert_signing", "crl_signing"]
  set_subject_key_id    = true
}

resource "tls_cert_request" "server" {
  private_key_pem = tls_private_key.ed25519.private_key_pem
  subject {
    common_name         = "example.org"
    organizational_unit = "Unit"
  }
  dns_names    = ["example.org", "www.example.org"]
  ip_addresses = ["127.0.0.1", "::1"]
  uris         = ["spiffe://example/server"]
}

resource "tls_locally_signed_cert" "server" {
  cert_request_pem      = tls_cert_request.server.cert_request_pem
  ca_private_key_pem    = tls_private_key.ecdsa.private_key_pem
  ca_cert_pem           = tls_self_signed_cert.ca.cert_pem
  validity_period_hours = 24
  early_renewal_hours   = 2
  allowed_uses          = ["key_encipherment", "digital_signature", "server_auth"]
}

data "tls_public_key" "ed" {
  private_key_openssh = tls_private_key.ed25519.private_key_openssh
}

output "same" {
  value = [
    data.tls_public_key.ed.public_key_openssh == tls_private_key.ed25519.public_key_openssh,
    nonsensitive(startswith(tls_private_key.rsa.private_key_pem, "-----BEGIN RSA PRIVATE KEY-----")),
    split(" ", tls_private_key.rsa.public_key_openssh)[0],
    split(" ", tls_private_key.ecdsa.public_key_openssh)[0],
  ]
}

output "renewal" {
  value = [tls_locally_signed_cert.server.ready_for_renewal, tls_self_signed_cert.ca.key_algorithm]
}
