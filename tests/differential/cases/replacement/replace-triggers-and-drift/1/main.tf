terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}
resource "local_file" "f" {
  filename        = "f.txt"
  content         = "content"
  file_permission = "0644"
}
resource "terraform_data" "let_be" {
  input = "one"
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "put_right" {
  input = "one"
}
resource "terraform_data" "by_file" {
  lifecycle {
    replace_triggered_by = [local_file.f]
  }
}
resource "terraform_data" "by_content" {
  lifecycle {
    replace_triggered_by = [local_file.f.content]
  }
}
resource "terraform_data" "by_let_be" {
  lifecycle {
    replace_triggered_by = [terraform_data.let_be, terraform_data.let_be.input]
  }
}
resource "terraform_data" "by_put_right" {
  lifecycle {
    replace_triggered_by = [terraform_data.put_right.output]
  }
}
