terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}

resource "null_resource" "plain" {}

resource "null_resource" "triggered" {
  triggers = { version = "1", plain = null_resource.plain.id }
}

resource "null_resource" "follows" {
  triggers = { id = null_resource.triggered.id }
}
