terraform {
  required_providers {
    random = { source = "hashicorp/random" }
    null   = { source = "hashicorp/null" }
    local  = { source = "hashicorp/local" }
  }
}
variable "v" {
  default = "1"
}
resource "random_pet" "name" {
  keepers = { v = var.v }
}
resource "local_file" "f" {
  filename        = "f${var.v}.txt"
  content         = random_pet.name.id
  file_permission = "0644"
}
resource "null_resource" "top" {
  triggers = { file = local_file.f.filename }
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "reader" {
  input = null_resource.top.id
}
