terraform {
  required_providers {
    external = {
      source  = "hashicorp/external"
      version = "2.4.0"
    }
  }
}

variable "word" {
  default = "word"
}

data "external" "now" {
  program = ["sh", "-c", "cat >&2; printf '{\"a\":\"1\",\"pwd\":\"%s\"}' \"$(basename \"$PWD\")\""]
  query   = { word = var.word }

  working_dir = "sub"
}

data "external" "later" {
  program = ["cat"]
  query   = { id = terraform_data.d.output }
}

resource "terraform_data" "d" {
  input = var.word
}

output "results" {
  value = [data.external.now.result, data.external.later.result]
}
