variable "v" {
  default = 1
}

resource "terraform_data" "a" {
  input = var.v
}

output "guarded" {
  value = terraform_data.a.output

  precondition {
    condition     = terraform_data.a.output == var.v
    error_message = "Not ${var.v}."
  }
}

output "plain" {
  value = 1

  precondition {
    condition     = var.v < 5
    error_message = "Too much."
  }
}
