variable "v" {}

resource "terraform_data" "r" {
  input = "v${var.v}"
}

output "variable" {
  value = var.v
}

output "resource" {
  value = terraform_data.r.output
}
