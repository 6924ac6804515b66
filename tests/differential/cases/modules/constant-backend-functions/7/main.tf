variable "name" {
  default = "app"
}

terraform {
  backend "local" {
    path = uper(var.name)
  }
}

resource "terraform_data" "x" {
  input = "kept"
}
