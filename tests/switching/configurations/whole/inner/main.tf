variable "name" {
  type = string
}

resource "terraform_data" "made" {
  input = upper(var.name)
}

output "made" {
  value = terraform_data.made.output
}
