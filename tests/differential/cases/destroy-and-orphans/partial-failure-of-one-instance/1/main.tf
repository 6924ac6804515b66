terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}
variable "paths" {
  type    = map(string)
  default = { good = "good.txt", bad = "main.tf/impossible.txt", other = "dir/other.txt" }
}
resource "local_file" "f" {
  for_each        = var.paths
  filename        = each.value
  content         = each.key
  file_permission = "0600"
}
resource "terraform_data" "of_all" {
  input = [for f in local_file.f : f.content]
}
resource "terraform_data" "beside" {}
output "beside" {
  value = terraform_data.beside.id
}
