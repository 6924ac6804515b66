locals {
  services = {
    web   = { port = 443, tags = ["public", "http"] }
    api   = { port = 8080, tags = ["internal"] }
    cache = { port = 6379, tags = [] }
  }
}

resource "terraform_data" "service" {
  for_each = local.services
  input = {
    name = each.key
    port = each.value.port
    tags = each.value.tags
  }
}

output "ports" {
  value = { for name, service in terraform_data.service : name => service.output.port }
}

output "keys" {
  value = keys(terraform_data.service)
}
