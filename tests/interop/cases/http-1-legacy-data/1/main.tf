terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "1.2.0"
    }
  }
}

variable "url" {}

data "http" "text" {
  url = "${var.url}/text"

  request_headers = {
    Accept = "text/plain"
  }
}

output "answer" {
  value = [data.http.text.body, data.http.text.id == "${var.url}/text"]
}
