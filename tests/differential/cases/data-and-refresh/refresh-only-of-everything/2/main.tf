terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}
resource "local_file" "gone" {
  filename = "gone.txt"
  content  = "changed"
}
resource "terraform_data" "tainted" {
  input = 1
}
resource "terraform_data" "after" {
  input = 2
}
moved {
  from = terraform_data.moved
  to   = terraform_data.after
}
resource "terraform_data" "counted" {
  count = 1
}
resource "terraform_data" "new" {}
output "o" {
  value = local_file.gone.id
}
output "of_new" {
  value = terraform_data.new.id
}
output "constant" {
  value = 2
}
