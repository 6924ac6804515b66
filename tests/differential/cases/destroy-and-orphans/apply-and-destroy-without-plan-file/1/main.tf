variable "v" {}

resource "terraform_data" "a" {
  input = var.v
}

resource "terraform_data" "b" {
  input = terraform_data.a.output
}

output "b" {
  value = terraform_data.b.output
}
