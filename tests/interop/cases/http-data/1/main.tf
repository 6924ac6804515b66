terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "3.6.0"
    }
  }
}

variable "url" {}

variable "body" {
  default = "first"
}

data "http" "text" {
  url = "${var.url}/text"
}

data "http" "json" {
  url = "${var.url}/json"

  request_headers = {
    Accept = "application/json"
  }

  lifecycle {
    postcondition {
      condition     = self.status_code == 200
      error_message = "Status ${self.status_code}."
    }
  }
}

data "http" "posted" {
  url          = "${var.url}/echo"
  method       = "POST"
  request_body = var.body

  request_headers = {
    X-Asked = "yes"
  }
}

data "http" "missing" {
  url = "${var.url}/missing"
}

data "http" "waits" {
  url = "${var.url}/echo"

  request_headers = {
    X-Asked = terraform_data.late.output
  }
}

resource "terraform_data" "late" {
  input = var.body
}

output "answers" {
  value = [
    data.http.text.response_body,
    jsondecode(data.http.json.response_body),
    data.http.json.response_headers["X-Answer"],
    data.http.posted.response_body,
    data.http.missing.status_code,
    data.http.waits.response_body,
  ]
}
