variable "value" {}

resource "terraform_data" "inner" {
  input = var.value
}

output "value" {
  value = terraform_data.inner.output
}
