ephemeral "tls_public_key" "bad" {
  private_key_pem = "nonsense"
}
resource "terraform_data" "r" {
  input = 1
}
resource "terraform_data" "dependent" {
  depends_on = [ephemeral.tls_public_key.bad]
}
