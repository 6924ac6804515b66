terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}
variable "v" {
  default = "one"
}
resource "terraform_data" "r" {
  input = { a = var.v, b = var.v }
  lifecycle {
    ignore_changes = [input["a"]]
  }
}
resource "terraform_data" "reader" {
  input = terraform_data.r.output
}
resource "local_file" "f" {
  filename        = "f.txt"
  content         = var.v
  file_permission = "0644"
  lifecycle {
    ignore_changes = [content, file_permission]
  }
}
