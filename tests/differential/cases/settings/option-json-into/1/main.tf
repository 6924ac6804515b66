variable "secret" {
  default   = "open sesame"
  sensitive = true
}

resource "terraform_data" "a" {
  input = var.secret
}

module "m" {
  source = "./m"
}

output "a" {
  value     = var.secret
  sensitive = true
}

output "b" {
  value = "plain"
}
