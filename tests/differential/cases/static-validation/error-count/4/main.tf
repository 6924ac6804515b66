variable "secret" {
  default   = 1
  sensitive = true
}
resource "terraform_data" "sensitive" {
  count = var.secret
}
