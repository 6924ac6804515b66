variable "value" {}

resource "terraform_data" "in" {
  input = var.value
}

resource "terraform_data" "after" {
  input = terraform_data.in.output
}

output "value" {
  value = terraform_data.after.output
}
