terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "1.2.0"
    }
  }
}

variable "url" {}

data "http" "missing" {
  url = "${var.url}/missing"
}
