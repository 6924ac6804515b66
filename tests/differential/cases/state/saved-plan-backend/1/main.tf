terraform {
  backend "local" {
    path = "a.tfstate"
  }
}

variable "n" {
  default = "1"
}

resource "terraform_data" "x" {
  input = var.n
}

output "n" {
  value = terraform_data.x.output
}
