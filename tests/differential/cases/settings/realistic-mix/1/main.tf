resource "random_pet" "stack" {
  keepers = { environment = var.environment }
}

resource "time_static" "epoch" {
  rfc3339 = "2021-01-01T00:00:00Z"
}

module "service" {
  source   = "./modules/service"
  for_each = var.services

  stack    = random_pet.stack.id
  name     = each.key
  settings = each.value
  epoch    = time_static.epoch.unix
}

resource "local_file" "index" {
  filename = "${path.root}/out/index.json"
  content = jsonencode({
    services = { for name, service in module.service : name => service.url }
  })
}

resource "null_resource" "deployed" {
  triggers = { digest = sha256(local_file.index.content) }
}

output "urls" {
  value = { for name, service in module.service : name => service.url }
}
