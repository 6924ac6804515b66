variable "secret" {
  type      = string
  ephemeral = true
}
variable "names" {
  type      = set(string)
  ephemeral = true
  default   = ["a"]
}
variable "number" {
  type      = number
  ephemeral = true
  default   = 1
}
resource "terraform_data" "count" {
  count = var.number
}
resource "terraform_data" "each" {
  for_each = var.names
}
resource "terraform_data" "value" {
  for_each = { a = var.secret }
  input    = each.key
}
resource "terraform_data" "value_used" {
  for_each = { a = var.secret }
  input    = each.value
}
module "counted" {
  source = "./child"
  count  = var.number
}
module "each" {
  source   = "./child"
  for_each = var.names
}
ephemeral "random_password" "count" {
  count  = var.number
  length = 4
}
ephemeral "random_password" "each" {
  for_each = { for name in var.names : name => 1 }
  length   = 4
}
resource "tls_self_signed_cert" "dynamic" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []
  dynamic "subject" {
    for_each = var.names
    content {
      common_name = "plain"
    }
  }
}
