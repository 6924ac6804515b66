terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}

variable "name" {
  default = "good.txt"
}

resource "local_file" "f" {
  filename = var.name
  content  = "c"
  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "reader" {
  input = local_file.f.filename
}
