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

resource "restapi_object" "refused" {
  path = "/things"
  data = jsonencode({ id = "refused", fails = "POST" })
}

resource "restapi_object" "after" {
  path = "/things"
  data = jsonencode({ id = "after", of = restapi_object.refused.id })
}

resource "restapi_object" "kept" {
  path = "/things"
  data = jsonencode({ id = "kept", fails = "PUT" })
}
