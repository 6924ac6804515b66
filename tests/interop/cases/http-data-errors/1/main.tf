terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "3.6.0"
    }
  }
}

data "http" "refused" {
  url = "http://127.0.0.1:1/"
}
