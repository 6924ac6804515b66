# A small town of services: every service gets a name of its own and a page that describes it, and
# the town an index of them all. Everything is written to ./output.

terraform {
  required_version = ">= 1.5"

  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "~> 2.5"
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
  }
}

locals {
  directory = "${path.root}/output"
  public    = { for name, service in var.services : name => service if service.public }
}

# Drawn once and kept in the state; a new town name draws another one.
resource "random_pet" "release" {
  keepers = {
    town = var.town
  }
}

module "service" {
  source   = "./modules/service"
  for_each = var.services

  name      = each.key
  town      = var.town
  port      = each.value.port
  replicas  = each.value.replicas
  labels    = merge({ release = random_pet.release.id }, each.value.labels)
  directory = local.directory
}

# Change `town` or `greeting` and plan again: this one is updated in place.
resource "terraform_data" "sign" {
  input = {
    text     = "${var.greeting} ${upper(var.town)}!"
    services = sort(keys(local.public))
  }
}

resource "local_file" "index" {
  filename = "${local.directory}/index.json"
  content = jsonencode({
    release  = random_pet.release.id
    sign     = terraform_data.sign.output.text
    services = { for name, service in module.service : name => service.address }
  })
  file_permission = "0644"
}
