terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}
resource "local_file" "gone" {
  filename = "gone.txt"
  content  = ""
}
resource "terraform_data" "tainted" {}
resource "terraform_data" "moved" {
  input = 1
}
resource "terraform_data" "orphan" {}
resource "terraform_data" "counted" {
  count = 2
}
output "o" {
  value = local_file.gone.id
}
output "dropped" {
  value = 1
}
