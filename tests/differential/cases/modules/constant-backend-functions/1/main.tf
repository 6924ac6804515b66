variable "name" {
  default = "app"
}

terraform {
  backend "local" {
    path = format("%s-%d.tfstate", upper(var.name), length([1]))
  }
}

resource "terraform_data" "x" {
  input = "kept"
}
