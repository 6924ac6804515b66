ephemeral "tls_private_key" "k" {
  algorithm   = "DSA"
  ecdsa_curve = "P1"
}
ephemeral "tls_public_key" "both" {
  private_key_pem     = "x"
  private_key_openssh = "y"
}
ephemeral "tls_public_key" "none" {
}
