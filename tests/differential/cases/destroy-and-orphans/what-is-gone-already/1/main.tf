terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}
resource "local_file" "orphan" {
  filename = "orphan.txt"
  content  = ""
}
resource "local_file" "tainted" {
  filename = "tainted.txt"
  content  = ""
}
resource "local_file" "moved" {
  filename = "moved.txt"
  content  = ""
}
resource "local_file" "protected" {
  filename = "protected.txt"
  content  = ""
}
resource "terraform_data" "reader" {
  input = local_file.protected.id
}
