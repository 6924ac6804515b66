variable "deps" {
  default = null
}

resource "terraform_data" "a" {
  input = var.deps
}

output "id" {
  value = terraform_data.a.id
}
