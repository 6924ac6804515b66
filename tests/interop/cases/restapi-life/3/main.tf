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

resource "restapi_object" "box" {
  path = "/things"
  data = jsonencode({ id = "box", size = 2, tags = ["b"], inner = { on = true } })
}

resource "restapi_object" "numbered" {
  for_each = toset(["numbered-1", "numbered-2"])

  path = "/things"
  data = jsonencode({ id = each.key, of = restapi_object.box.id })
}

output "api_data" {
  value = restapi_object.box.api_data
}

output "response" {
  value = jsondecode(restapi_object.box.create_response)
}
