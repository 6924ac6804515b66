terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "1.2.0"
    }
  }
}

variable "url" {}

data "http" "binary" {
  url = "${var.url}/binary"
}

output "length" {
  value = length(data.http.binary.body)
}
