terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "3.6.0"
    }
  }
}

data "http" "wrong" {
  url    = "http://127.0.0.1/"
  method = "BREW"

  request_headers = "none"
}
