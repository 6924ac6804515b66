terraform {
  required_providers {
    restapi = {
      source  = "Mastercard/restapi"
      version = "1.18.0"
    }
  }
}

variable "url" {
  type = string
}

provider "restapi" {
  uri                  = var.url
  write_returns_object = true
  headers = {
    X-Asked = "yes"
  }
}

resource "restapi_object" "kept" {
  path = "/things"
  data = jsonencode({ id = "kept", fails = "PUT", size = 2 })
}

resource "restapi_object" "stuck" {
  path = "/things"
  data = jsonencode({ id = "stuck", fails = "DELETE" })
}
