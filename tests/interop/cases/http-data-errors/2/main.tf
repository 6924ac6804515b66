terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "3.6.0"
    }
  }
}

variable "url" {}

data "http" "missing" {
  url = "${var.url}/status/500"

  lifecycle {
    postcondition {
      condition     = contains([200], self.status_code)
      error_message = "It answered with ${self.status_code}: ${self.response_body}"
    }
  }
}
