terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
variable "environment" {
  type    = string
  default = "test"
}
variable "compliance_mode" {
  type    = bool
  default = false
}
resource "terraform_data" "database" {
  input = var.environment
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "server" {
  triggers_replace = var.environment
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "target" {
  lifecycle {
    replace_triggered_by = [terraform_data.server.id]
  }
}
