terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "name" {
  type = string
}

variable "town" {
  type = string
}

variable "port" {
  type = number
}

variable "replicas" {
  type = number
}

variable "labels" {
  type = map(string)
}

variable "directory" {
  type = string
}

resource "random_id" "replica" {
  count = var.replicas

  byte_length = 3
  prefix      = "${var.name}-${count.index}-"
}

resource "random_password" "token" {
  length  = 24
  special = false
}

module "page" {
  source = "./modules/page"

  filename = "${var.directory}/${var.town}/${var.name}.md"
  title    = upper(var.name)
  address  = local.address
  replicas = random_id.replica[*].hex
  labels   = var.labels
}

locals {
  address = format("%s.%s.example:%d", var.name, var.town, var.port)
}

output "address" {
  value = local.address
}

output "page" {
  value = module.page.filename
}

output "token" {
  value     = random_password.token.result
  sensitive = true
}
