terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}

resource "null_resource" "plain" {
  triggers = {}
}

resource "null_resource" "triggered" {}
